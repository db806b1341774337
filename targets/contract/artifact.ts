// Defines facts that all targets share: the form of their files, and the paths in the image. Targets never import each
// other. So a path that the manifest names and the ISO contains is defined here.

import type { Verity } from "../../engine/lib/wire/generated/manifest.ts";
import type { ImagePlan } from "./policy.ts";

/** One file of the output. A large file is passed by its path. */
export interface Artifact {
  /** Path below the output folder or the root of the image, with slashes but without a leading slash. */
  readonly path: string;
  readonly bytes:
    | Uint8Array
    | { readonly file: string /** In hexadecimal, where it is known. */; readonly sha256?: string };
}

/** Paths in the ISO, with the leading slash that the manifest and init use. */
export const IMAGE_PATHS = {
  kernel: "/boot/vmlinuz",
  initrd: "/boot/initrd.img",
  /** The file system from which UEFI firmware starts. */
  efi: "/boot/efi.img",
  root: "/boot/rootfs.erofs",
  manifest: "/capos/manifest.bin",
  manifestSignature: "/capos/manifest.bin.sig",
  tables: "/capos/policy/tables.bin",
  sbom: "/capos/sbom.spdx.json",
  attestation: "/capos/attestation.intoto.json",
  difference: "/capos/difference.intoto.json",
  egress: "/capos/egress.bin",
  replies: (backend: string) => `/capos/replies/${backend}.json`,
  program: (service: string) => `/capos/services/${service}.js`,
  weights: (model: string) => `/boot/models/${model}.gguf`,
  card: (model: string) => `/capos/models/${model}.card`,
  /** Prefilled states of a model; `statesList` is the path of the list of these states. */
  states: (model: string) => `/boot/models/${model}.state`,
  statesList: (model: string) => `/capos/models/${model}.states`,
  methods: (service: string) => `/capos/services/${service}.bin`,
} as const;

/**
 * Paths of an image for upstream's kernel, except the paths of the manifest, the tables and the attestations. The
 * loader Limine expects its files at these paths.
 */
export const LIMINE_PATHS = {
  kernel: "/boot/kernel",
  settings: "/boot/limine/limine.conf",
  /** Program that BIOS starts from an optical drive. The writer of the image fills in a table in this program. */
  bios: "/boot/limine/limine-bios-cd.bin",
  biosRest: "/boot/limine/limine-bios.sys",
  /** The file system from which UEFI firmware starts. */
  efi: "/boot/limine/limine-uefi-cd.bin",
  efiProgram: "/EFI/BOOT/BOOTX64.EFI",
} as const;

/**
 * Path of the boot catalogue, in which firmware finds Limine's programs for BIOS and UEFI. The writer of the image
 * makes this file.
 */
export const LIMINE_CATALOGUE = "/boot/limine/boot.cat";

/**
 * Verity value of a small blob, which has no hash tree. Init digests the whole blob once at the start, and then keeps the blob in sealed
 * memory.
 */
export const CHECKED_WHOLE: Verity = { contentBytes: 0n, salt: new Uint8Array(), rootHash: new Uint8Array() };

/** Volume name of an image. Init looks for a medium of this name, and stops if it finds two. */
export const VOLUME_NAME = "CAPOS";

/** Volume name of an image for upstream's kernel. This name differs from VOLUME_NAME, so that capc's own init never uses such an image. */
export const LIMINE_VOLUME_NAME = "CAPOS_UPSTREAM";

/** Maximum bytes of a manifest, which compiler and init enforce. */
export const MOST_MANIFEST_BYTES = 2_883_584;

/**
 * The kernel's command line for each console, as the manifest signs it. Init compares the words with those of the
 * command line that the kernel got, and opens the console that the first word names.
 *
 * On the serial port each message of the kernel takes time, so `quiet` hides all messages except warnings. With
 * `panic=-1` a kernel that cannot continue restarts at once, which ends an emulator that was told not to restart.
 * Without `no_timer_check` the kernel waits for ten ticks of a PC's timer, and panics if they are late. They can be
 * late in an emulator on a busy host. Under KVM the kernel never waits for these ticks.
 *
 * The screen is the first of the kernel's virtual terminals. With `loglevel=1`, only emergency messages of the kernel,
 * such as those of a panic, can cover the text that a person reads. With `panic=30` a person can read these messages
 * for half a minute.
 */
const KERNEL_PARAMETERS: Readonly<Record<ImagePlan["console"], readonly string[]>> = {
  serial: ["console=ttyS0,115200", "quiet", "panic=-1", "no_timer_check"],
  screen: ["console=tty1", "loglevel=1", "panic=30"],
};

/**
 * Prefix on the command line of an image that was built although assertions of its page failed; their number follows.
 * The manifest signs the command line. At boot, init compares it word by word with the command line that the kernel
 * got, so nobody can remove the number. Rejected: a field of the manifest, because this would need a new version of the
 * schema.
 */
const UNPROVED_PARAMETER = "capos.unproved=";

/** Returns the words of the command line. `unproved` is the number of assertions of the page that are refuted or undetermined. */
export function listKernelParameters(console: ImagePlan["console"], unproved = 0): readonly string[] {
  const words = KERNEL_PARAMETERS[console];
  return unproved === 0 ? words : [...words, `${UNPROVED_PARAMETER}${unproved}`];
}

/**
 * Returns the console that the first word of an image's command line names; `undefined` if capc did not write the command line.
 */
export function findConsole(parameters: readonly string[]): ImagePlan["console"] | undefined {
  return CONSOLES.find((console) => KERNEL_PARAMETERS[console][0] === parameters[0]);
}

const CONSOLES = ["serial", "screen"] as const satisfies readonly ImagePlan["console"][];

/** Returns the number of failed assertions on the command line of an image; `undefined` if the command line states no number. */
export function findUnproved(parameters: readonly string[]): string | undefined {
  return parameters.find((word) => word.startsWith(UNPROVED_PARAMETER))?.slice(UNPROVED_PARAMETER.length);
}
