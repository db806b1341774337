import { expect, test } from "vitest";
import { runProgram } from "./programs.ts";

test("the error of a program that ends before it has read its input is the program's own message", () => {
  const words = ["-c", "exec 0<&-; echo no such key >&2; exit 3"];
  const ran = runProgram("sh", words, "dash", { input: "x".repeat(1_000_000) });
  expect(ran).toEqual({ ok: false, reason: "sh failed: no such key" });
});

test("a missing program is reported with its package", () => {
  const ran = runProgram("no-such-program", [], "nosuch");
  expect(ran).toEqual({ ok: false, reason: expect.stringContaining("Debian package nosuch") });
});

test("a program that was killed by a signal counts as failed", () => {
  const ran = runProgram("sh", ["-c", "kill -9 $$"], "dash", { input: "x".repeat(1_000_000) });
  expect(ran).toEqual({ ok: false, reason: "sh failed: SIGKILL" });
});
