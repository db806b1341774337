import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { explainEnd, startInteractive } from "./guest.ts";

test.each([
  ["qemu-system-x86_64", /^qemu-system-x86_64 is not installed \(Debian package qemu-system-x86/],
  ["capos-host", /\/capos-host cannot be started: it is missing from this installation of capc; install capc again$/],
])("the report of a missing %s names the program, and how to install it", async (name, reason) => {
  const folder = mkdtempSync(join(tmpdir(), "capc-guest-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stop = new AbortController().signal;
  const end = await startInteractive({ program: join(folder, name), words: [], stop, say: undefined });
  expect(explainEnd(end)).toMatch(reason);
});
