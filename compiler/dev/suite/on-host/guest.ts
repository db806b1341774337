// Starts a guest with Debian's own kernel. Its root file system is the root of this host, read-only. For `capc run
// --on-host` in the guest, the guest is a normal Debian host. Programs in the guest cannot change this host.

import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeArchive } from "../../../../engine/image/rootfs/cpio.ts";
import { compressReproducibly } from "../../../../engine/image/rootfs/initrd.ts";
import { ensureStateFolder } from "../../../host/state-folder.ts";
import { chooseAccelerator } from "../../../machine/accelerator.ts";
import { findQemu } from "../../../machine/qemu.ts";
import { CHECKOUT } from "../stage.ts";
import { fetchDebianKernel } from "./kernel.ts";

const MEMORY_MIB = 2048;
/** Timeout of the guest. Under emulation, thirty processes take minutes. */
const MOST_SECONDS = 1500;

interface GuestResult {
  /** Exit status of the script; `undefined` if the guest did not run it to its end. */
  readonly status: number | undefined;
  readonly lines: readonly string[];
}

/** Runs a shell script as root in the guest. Files below `/tmp` and `/run` are lost when the guest ends. */
export async function runInGuest(script: string, scratch: string): Promise<GuestResult> {
  const qemu = findQemu();
  if (qemu === undefined) throw new Error("qemu-system-x86_64 is not installed");
  const { kernel, modules } = fetchDebianKernel(join(CHECKOUT, "build/debian-kernel"));
  const initrd = join(scratch, "initrd.img");
  writeFileSync(initrd, compressReproducibly(encodeArchive(listFiles(script, modules, buildInit(scratch)))));
  const accelerator = chooseAccelerator(qemu, join(ensureStateFolder(), "accelerator"));
  const words = [
    ...["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio"],
    ...["-m", `${MEMORY_MIB}`, "-machine", "pc", "-accel", accelerator.name],
    ...["-cpu", accelerator.name === "kvm" ? "host" : "max"],
    ...["-kernel", kernel, "-initrd", initrd, "-append", "console=ttyS0 quiet panic=-1"],
    ...["-virtfs", "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap"],
  ];
  const lines = (await collectOutput(qemu, words)).split(/\r*\n/);
  const status = lines.map((line) => /^guest: status (-?\d+)$/.exec(line)?.[1]).find((found) => found !== undefined);
  return { status: status === undefined ? undefined : Number(status), lines };
}

const REPORT = "REPORT";

/**
 * Returns a script that runs capc with `--json`, and prints capc's report after the output of the console. The script
 * ends with the exit status of capc.
 */
export function formatCommand(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const run = `'${process.execPath}' '${CHECKOUT}/compiler/cli/main.ts' ${quoted}`;
  return `cd '${CHECKOUT}'\nexport TMPDIR=/tmp\n${run} > /tmp/report\nstatus=$?\necho; echo ${REPORT}; cat /tmp/report\nexit $status\n`;
}

interface Report {
  readonly verdicts: readonly { readonly line: number; readonly passed: boolean; readonly words: string }[];
}

/** Returns the report of capc from the lines. Without a report, throws an error with the last lines. */
export function takeReport(lines: readonly string[]): Report {
  const line = lines[lines.indexOf(REPORT) + 1] ?? "";
  if (!line.startsWith("{")) throw new Error(`the run gave no report:\n${lines.slice(-20).join("\n")}`);
  return JSON.parse(line);
}

function buildInit(scratch: string): Buffer {
  const program = join(scratch, "guest-init");
  const source = fileURLToPath(new URL("guest-init.c", import.meta.url));
  execFileSync("gcc", ["-static", "-O1", "-Wall", "-Werror", "-o", program, source]);
  return readFileSync(program);
}

function listFiles(script: string, modules: ReturnType<typeof fetchDebianKernel>["modules"], init: Buffer) {
  return [
    { path: "init", mode: 0o755, bytes: init },
    { path: "script", mode: 0o600, bytes: Buffer.from(script) },
    { path: "list", mode: 0o600, bytes: Buffer.from(modules.map(({ name }) => `${name}\n`).join("")) },
    { path: "dev", mode: 0o755 },
    { path: "modules", mode: 0o700 },
    ...modules.map(({ name, bytes }) => ({ path: `modules/${name}`, mode: 0o600, bytes })),
  ];
}

/** Returns the console output of the guest. Ends the guest after `MOST_SECONDS`. */
function collectOutput(qemu: string, words: readonly string[]): Promise<string> {
  const child = spawn(qemu, words, { stdio: ["ignore", "pipe", "inherit"] });
  const deadline = setTimeout(() => child.kill("SIGKILL"), MOST_SECONDS * 1000);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    output += piece;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(deadline);
      resolve(output);
    });
  });
}
