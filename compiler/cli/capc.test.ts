// The launcher, as a shell starts it.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const LAUNCHER = fileURLToPath(new URL("capc.mjs", import.meta.url));

function capc(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...words], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the version is told without the compiler", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(capc("--version")).toEqual({ status: 0, stdout: `capc ${version}\n`, stderr: "" });
});

test("words reach the command, and its status comes back, without a warning of Node's", () => {
  expect(capc("explain", "rule-shadowed")).toMatchObject({ status: 0, stderr: "" });
  expect(capc("check", "examples/first-agent/system.cap")).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(capc("check", "none.cap")).toMatchObject({ status: 3, stdout: "" });
  expect(capc("chek")).toEqual({
    status: 2,
    stdout: "",
    stderr: "capc: there is no command 'chek'; did you mean check?\n",
  });
});
