// Tests scripted runs with programs that simulate the console of a machine, correct or faulty.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readScript } from "./chat/script.ts";
import { LIMITS, type Limits, runScript } from "./scripted-run.ts";
import { POLITE } from "./testing/polite-machine.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "capc-run-test-"));
});
afterEach(() => rmSync(place, { recursive: true }));

const NO_KEYS = () => ({ reason: "no keys here" });

interface Ran {
  readonly shown: string[];
  readonly failed: string[];
  readonly passed: number;
}

async function run(
  program: string,
  source: string,
  limits: Partial<Limits> = {},
  others: { readonly interrupted?: AbortSignal; readonly kind?: "host" } = {},
): Promise<Ran | string> {
  const file = join(place, "machine.sh");
  writeFileSync(file, program);
  const read = readScript(source, () => undefined);
  if (!read.ok) throw new Error("the test's own script is wrong");
  const shown: string[] = [];
  const out = await runScript({
    program: "/bin/sh",
    words: [file],
    script: read.script,
    sign: NO_KEYS,
    show: (line) => shown.push(line),
    interrupted: new AbortController().signal,
    ...others,
    limits: { ...LIMITS, ...limits },
  });
  if (!out.ok) return out.reason;
  const failed = out.value.verdicts.filter((verdict) => !verdict.passed).map(({ words }) => words);
  return { shown, failed, passed: out.value.verdicts.length - failed.length };
}

test("a correct conversation passes", async () => {
  writeFileSync(join(place, "polite.mjs"), POLITE);
  const ran = await run(`exec ${process.execPath} ${join(place, "polite.mjs")}`, "< ready\n> hello\n< you said hello");
  expect(ran).toEqual({
    shown: ["ready", "you> hello", "agent> you said hello", "you> /exit", "capos: powered off cleanly"],
    failed: [],
    passed: 4,
  });
});

test("a machine without a bootable device is stopped at once, with a reason", async () => {
  const ran = await run("printf 'BdsDxe: No bootable option or device was found.\\r\\n'; exec sleep 1000", "< ready");
  expect(ran).toMatchObject({
    failed: expect.arrayContaining([expect.stringContaining("its firmware found nothing that it may start")]),
  });
});

test.each([
  ["a run that is stopped must not end with status 0", "stopped", 0, "capos-host ends with status 1; status 0"],
  ["a run that ends cleanly must not end with status 1", "ended cleanly", 1, "capos-host ends with status 0; status 1"],
])("if capos-host runs the image, %s", async (_, words, status, failed) => {
  const source = words === "stopped" ? "@ stopped\n< ready" : "< ready";
  const host = (end: number) => run(`printf 'ready\\ncapos: ${words}\\n'; exit ${end}`, source, {}, { kind: "host" });
  expect(await host(status)).toMatchObject({ failed: [failed] });
  expect(await host(1 - status)).toMatchObject({ failed: [] });
});

test("a host that cannot run the image gives its reasons instead of verdicts", async () => {
  const program = "printf 'capc: host-lacks-verity: none\\ncapc: to run without it: --without verity\\n' >&2; exit 3";
  const reason = "host-lacks-verity: none\nto run without it: --without verity";
  expect(await run(program, "< ready", {}, { kind: "host" })).toBe(reason);
});

test("a machine that ends without a clean shutdown fails", async () => {
  const ran = await run("printf 'ready\\n'", "< ready");
  expect(ran).toMatchObject({ failed: [expect.stringContaining("powered off cleanly'; it did not")] });
});

test("a script may require a stop, and then a clean shutdown fails", async () => {
  expect(await run("printf 'capos: stopped\n'", "@ stopped")).toMatchObject({ failed: [], passed: 2 });
  expect(await run("printf 'capos: powered off cleanly\n'", "@ stopped")).toMatchObject({
    failed: ["the machine says 'capos: stopped'; it did not"],
  });
});

test("an emulator with an error status fails, whatever the machine printed", async () => {
  const ran = await run("printf 'capos: powered off cleanly\\n'; exit 5", "");
  expect(ran).toMatchObject({ failed: ["QEMU ends with status 0; status 5"] });
});

test("the text of a clean shutdown counts only as a complete line", async () => {
  const ran = await run("printf 'agent> capos: powered off cleanly\\n'", "");
  expect(ran).toMatchObject({ failed: [expect.stringContaining("it did not")] });
});

test("a machine that waits too long is stopped by the clock", async () => {
  const ran = await run("exec sleep 1000", "> hello", { wallSeconds: 0.5 });
  expect(ran).toMatchObject({
    failed: [
      "the machine was off by then",
      expect.stringContaining("it did not"),
      "QEMU ends with status 0; it was ended: it ran longer than 0.5 seconds",
    ],
  });
});

test("a machine that computes too long is stopped by its CPU time", async () => {
  const ran = await run("while :; do :; done", "", { cpuSeconds: 0.3 });
  expect(ran).toMatchObject({ failed: [expect.anything(), expect.stringContaining("0.3 seconds of CPU")] });
});

test("a machine that prints too much is stopped", async () => {
  const ran = await run("exec yes", "", { consoleBytes: 100_000 });
  expect(ran).toMatchObject({ failed: [expect.anything(), expect.stringContaining("more than a console may")] });
});

test("an interruption by a person stops the machine, without a verdict", async () => {
  const stop = new AbortController();
  const running = run("exec sleep 1000", "", {}, { interrupted: stop.signal });
  stop.abort();
  expect(await running).toBe("interrupted; the guest was ended");
});

test("a missing emulator is reported", async () => {
  const read = readScript("", () => undefined);
  if (!read.ok) throw new Error("no script");
  const interrupted = new AbortController().signal;
  const qemu = join(place, "none/qemu-system-x86_64");
  const out = await runScript({
    program: qemu,
    words: [],
    script: read.script,
    sign: NO_KEYS,
    show: () => {},
    interrupted,
  });
  expect(out).toMatchObject({ ok: false, reason: expect.stringContaining("is not installed") });
});
