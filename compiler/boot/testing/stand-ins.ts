// Files that pass for Limine's as far as anybody here looks, for tests: nothing of Limine is in them, and they start nothing.

import { gzipSync } from "node:zlib";
import { compile } from "../../compile.ts";
import type { BootPlan } from "../../policy/upstream/plan.ts";
import { memoryHost } from "../../source/index.ts";
import type { Files } from "../../testing/facts.ts";
import { testSurroundings } from "../../testing/surroundings.ts";
import { tinyKernel } from "./tiny-kernel.ts";

const NOTE = Buffer.from("040000001400000003000000474e5500", "hex");
const BUILD = Buffer.alloc(20, 7);

export interface Release {
  readonly version?: string;
  /** The number of the build; nothing: it has none. */
  readonly build?: Uint8Array | undefined;
}

export function standIns({ version = "8.2.0", build = BUILD }: Release = {}): BootPlan["limine"] {
  const said = Buffer.from(`Limine ${version} (x86-64)\0`);
  const program = Buffer.alloc(512);
  program.write("MZ");
  program.writeUInt32LE(128, 0x3c);
  program.write("PE\0\0", 128);
  program.writeUInt16LE(0x8664, 132);
  const volume = Buffer.alloc(32 * 1024);
  volume.writeUInt16LE(0xaa55, 510);
  const numbered = Buffer.concat([NOTE, build]);
  return {
    "BOOTX64.EFI": Buffer.concat([program, said]),
    "limine-bios-cd.bin": discStart(numbered),
    "limine-bios.sys": Buffer.concat([numbered, said]),
    "limine-uefi-cd.bin": Buffer.concat([volume, said, Buffer.alloc(512 - said.length)]),
  };
}

/** A block that BIOS would start, and behind it what is packed. */
export function discStart(packed: Uint8Array): Buffer {
  const first = Buffer.alloc(2048);
  first.set([0xeb, 0x58, 0x90]);
  const rest = gzipSync(packed);
  return Buffer.concat([first, rest, Buffer.alloc(2048 - (rest.length % 2048))]);
}

/** The head of a static program, which a page for upstream's kernel wants. */
export const PROGRAM = tinyKernel().subarray(0, 64);

/** A whole page, `image` being what it says of its image beside its target; with all that lies beside it. */
export function bootable(image = 'kernel "boot/kernel"  limine "boot/limine"', changes: Files = {}): Files {
  const limine = Object.entries(standIns()).map(([name, bytes]) => [`/boot/limine/${name}`, bytes]);
  return {
    "/boot/kernel": tinyKernel(),
    ...Object.fromEntries(limine),
    "/journal": PROGRAM,
    "/system.cap": `system small version "1.2.3" {
  use std.tools
  backend canned { stub }
  service journal : Logs { exec "journal"  grant kernel.log_reader }
  session operator { kind operator  models { auto canned }  permit { auto readOnly } }
  image { target capos  boot operator  init "console", "process_spawner", "boot_package", "log_reader"  ${image} }
}
`,
    ...changes,
  };
}

/** What is found in such a page when an image is to be made of it. */
export async function foundBooting(files: Files) {
  const host = memoryHost(files, "2026-01-01");
  return await compile(host, "/system.cap", { ...testSurroundings, purpose: "build", boots: true, advice: "left" });
}
