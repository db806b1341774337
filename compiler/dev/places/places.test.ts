import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ROLE_NAMES } from "../../../engine/lib/roles/index.ts";
import { getGoldenFolder, listExampleNames } from "../golden/golden.ts";
import { findGaps } from "./gaps.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const HINT =
  "a place disagrees with engine/lib/roles/roles.ts or services.ts; `node compiler/dev/places/main.ts --write` repairs tables of pages";

test("every file agrees with the tables of roles and services", () => {
  expect(findGaps(CHECKOUT), HINT).toEqual([]);
});

const STARTED = "roles in no golden/*/processes.txt: plan them in targets/manifest, and accept an example's golden";

test("at least one example starts each role", () => {
  // Examples for upstream's kernel do not have the process graph of capc's own runtime.
  const goldens = listExampleNames().map((name) => `${getGoldenFolder(name)}processes.txt`);
  const graphs = goldens.filter((path) => existsSync(path)).map((path) => readFileSync(path, "utf8"));
  const started = graphs.flatMap((graph) => [...graph.matchAll(/^\S+ \(([\w-]+)\), uid /gm)].map(([, role]) => role));
  expect(
    ROLE_NAMES.filter((role) => !started.includes(role)),
    STARTED,
  ).toEqual([]);
});
