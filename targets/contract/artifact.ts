// Defines values that several targets share, such as the form of their files and the paths in the image. They are defined here because
// targets must not import each other: for example, the manifest names a path to which the ISO target writes.

import type { Verity } from "../../engine/lib/wire/generated/manifest.ts";
import type { ImagePlan } from "./policy.ts";

/** A file of the output. A large file is passed by its path. */
export interface Artifact {
  /** Path below the output folder or the root of the image, with slashes, without a leading one. */
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
  /** Paths of a model's prefilled states, and of the list that describes them. */
  states: (model: string) => `/boot/models/${model}.state`,
  statesList: (model: string) => `/capos/models/${model}.states`,
  methods: (service: string) => `/capos/services/${service}.bin`,
} as const;

/**
 * Additional paths of an image for upstream's kernel. Manifest, tables and attestations have the usual paths. Limine
 * expects its files there.
 */
export const LIMINE_PATHS = {
  kernel: "/boot/kernel",
  settings: "/boot/limine/limine.conf",
  /** Program that BIOS starts from an optical drive. The writer of the image fills in a table in it. */
  bios: "/boot/limine/limine-bios-cd.bin",
  biosRest: "/boot/limine/limine-bios.sys",
  /** The file system from which UEFI firmware starts. */
  efi: "/boot/limine/limine-uefi-cd.bin",
  efiProgram: "/EFI/BOOT/BOOTX64.EFI",
} as const;

/** Path of the boot catalogue, in which firmware finds the boot programs. The writer of the image creates it. */
export const LIMINE_CATALOGUE = "/boot/limine/boot.cat";

/** Verity of a small blob without a hash tree: init digests all of it at the start, and keeps it in sealed memory. */
export const CHECKED_WHOLE: Verity = { contentBytes: 0n, salt: new Uint8Array(), rootHash: new Uint8Array() };

/** Volume name of an image. init searches for a medium with this name, and stops if it finds two. */
export const VOLUME_NAME = "CAPOS";

/** Volume name of an image for upstream's kernel. It differs, so that this project's init never uses such an image. */
export const LIMINE_VOLUME_NAME = "CAPOS_UPSTREAM";

/** Maximum bytes of a manifest; the compiler and init enforce it. */
export const MOST_MANIFEST_BYTES = 2_883_584;

/**
 * The kernel's command line by console. The manifest signs it, and init compares it word by word. The first word names
 * the console, which init opens.
 *
 * On the first serial port, `quiet` makes the kernel print only warnings, because printing a line takes time there. With
 * `panic`, the kernel restarts at once after a panic, which ends an emulator that runs with `-no-reboot`. Without
 * `no_timer_check`, the kernel waits for ten ticks of the PC's timer, and panics if they are late, as in an emulator on a
 * busy host. Under KVM, the kernel skips this check anyway.
 *
 * The screen is the first of the kernel's virtual terminals. There, `loglevel` makes the kernel print only fatal
 * messages, so that it does not overwrite the screen of a person. `panic` keeps these messages readable for half a minute.
 */
const KERNEL_PARAMETERS: Readonly<Record<ImagePlan["console"], readonly string[]>> = {
  serial: ["console=ttyS0,115200", "quiet", "panic=-1", "no_timer_check"],
  screen: ["console=tty1", "loglevel=1", "panic=30"],
};

/**
 * Prefix of a word on the command line of an image that was built although assertions of its page failed. The number of these
 * assertions follows it. The command line is signed with the manifest and compared word by word at boot, so that nobody can remove it.
 * Rejected: a field of the manifest, which would need a new version of the manifest's schema.
 */
const UNPROVED_PARAMETER = "capos.unproved=";

/** Returns the kernel's command line for a console. `unproved` is the number of assertions that are refuted or undetermined. */
export function listKernelParameters(console: ImagePlan["console"], unproved = 0): readonly string[] {
  const words = KERNEL_PARAMETERS[console];
  return unproved === 0 ? words : [...words, `${UNPROVED_PARAMETER}${unproved}`];
}

/** Returns the console that the first word of an image's command line names; `undefined` if the image is not one of capc's. */
export function findConsole(parameters: readonly string[]): ImagePlan["console"] | undefined {
  return CONSOLES.find((console) => KERNEL_PARAMETERS[console][0] === parameters[0]);
}

const CONSOLES = ["serial", "screen"] as const satisfies readonly ImagePlan["console"][];

/** Returns the number of failed assertions on the command line of an image; `undefined` if it states none. */
export function findUnproved(parameters: readonly string[]): string | undefined {
  return parameters.find((word) => word.startsWith(UNPROVED_PARAMETER))?.slice(UNPROVED_PARAMETER.length);
}
