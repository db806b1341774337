// Tests hostile manifests and tables: a separate program reads each, and its memory and time are measured.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FIXTURE = fileURLToPath(new URL("./bombs.fixture.ts", import.meta.url));
const MOST_MEBIBYTES = 64;
const MOST_SECONDS = 1;

test.each([
  ["lists of no size", "manifest", false],
  ["lists of no size", "tables", false],
  ["one text again and again", "manifest", false],
  ["one text again and again", "tables", false],
  // The codec accepts this message because it is a well-formed manifest; init and inspect refuse it by its size and its
  // number of processes.
  ["100,000 services", "manifest", true],
  ["100,000 services", "tables", false],
])("refuses or reads %s as %s with bounded memory and time", (kind, reader, isTaken) => {
  const ran = spawnSync(process.execPath, ["--expose-gc", FIXTURE, kind, reader], { encoding: "utf8" });
  expect(ran.stderr).toBe("");
  const cost = JSON.parse(ran.stdout) as { isTaken: boolean; seconds: number; mebibytes: number };
  expect(cost.isTaken).toBe(isTaken);
  expect(cost.mebibytes).toBeLessThan(MOST_MEBIBYTES);
  expect(cost.seconds).toBeLessThan(MOST_SECONDS);
});
