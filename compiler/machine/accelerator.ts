// Decides whether to use KVM. A device file that opens proves little: on nested machines it may run a guest slower than
// emulation, or not at all. So a trial guest is started, and KVM is used only if this guest finishes.

import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { release, tmpdir } from "node:os";
import { join } from "node:path";

export type Accelerator = { readonly name: "kvm" } | { readonly name: "tcg"; readonly because: string };

/**
 * Returns the accelerator to use on this machine: KVM or emulation. The test of KVM can take seconds, so it is repeated only after a
 * restart of this machine or with another QEMU.
 */
export function chooseAccelerator(qemu: string, cacheFile: string | undefined, device = "/dev/kvm"): Accelerator {
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
  } catch {
    return { name: "tcg", because: `there is no ${device} that this user may open` };
  }
  const key = `${bootIdentifier()} ${release()} ${qemu} ${statSync(qemu).mtimeMs}`;
  const known = cacheFile === undefined ? undefined : recall(cacheFile, key);
  const works = known ?? probe(qemu);
  if (known === undefined && cacheFile !== undefined) remember(cacheFile, key, works ? "works" : "fails");
  return works ? { name: "kvm" } : { name: "tcg", because: "KVM is there, but a trial guest did not run under it" };
}

/**
 * Program of the trial guest: counts down from 16,777,216, in about 10 ms if KVM works, then exits with a code. The
 * program starts at the reset vector and needs no firmware.
 */
const PAYLOAD = [0x66, 0xb9, 0, 0, 0, 1, 0x66, 0x49, 0x75, 0xfc, 0xb0, 0x10, 0xe6, 0xf4, 0xf4];
const RESET_VECTOR = 0xfff0;
const ROM_SIZE = 0x10000;
/** Exit status of QEMU after a successful trial guest: isa-debug-exit returns twice the value that the guest wrote, plus one. */
const SUCCESS = 0x10 * 2 + 1;
const PATIENCE_MS = 2000;

function probe(qemu: string): boolean {
  const scratch = mkdtempSync(join(tmpdir(), "capc-probe-"));
  try {
    const rom = Buffer.alloc(ROM_SIZE, 0xf4);
    rom.set(PAYLOAD, RESET_VECTOR);
    writeFileSync(join(scratch, "rom"), rom);
    const machine = ["-machine", "pc", "-m", "16", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"];
    const guest = ["-bios", join(scratch, "rom"), "-device", "isa-debug-exit,iobase=0xf4,iosize=1"];
    const ran = spawnSync(qemu, ["-accel", "kvm", "-cpu", "host", ...machine, ...guest], {
      stdio: "ignore",
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    return ran.status === SUCCESS;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function bootIdentifier(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

function recall(file: string, key: string): boolean | undefined {
  try {
    const [known, verdict] = readFileSync(file, "utf8").trim().split("\n");
    return known === key ? verdict === "works" : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the result of the KVM test. If the cache cannot be written, the next run repeats the test. */
function remember(file: string, key: string, verdict: "works" | "fails"): void {
  try {
    writeFileSync(file, `${key}\n${verdict}\n`);
  } catch {}
}
