// Defines the process graph of a page with `target capos`: which program holds which capability of the kernel or of
// another program. It follows the crate capos-config 0.1.0, src/manifest.rs and src/validation.rs.

import type { KernelSource } from "./kernel-sources.ts";
import type { Disclosure } from "./upstream-words.ts";

export interface UpstreamPlan {
  /** Path of the operator's kernel in the page's folder. It is required for an image, but not for a manifest. */
  readonly kernel: string;
  /** Path of the folder with Limine's files; also required only for an image. */
  readonly limine: string;
  /** Content of these files; present only if an image is made. */
  readonly boot?: BootPlan;
  /** Capabilities that the first process holds, in the page's order. */
  readonly init: readonly UpstreamCap[];
  /** Services in code-unit order of names, except that providers come before their holders. */
  readonly services: readonly UpstreamService[];
  /** Name of the service whose end stops the machine; empty if there is none. */
  readonly exits: string;
  readonly hostname: string;
  readonly motd: string;
  readonly logLevel: LogLevel;
  /** Whether the manifest contains the policy's tables. */
  readonly carriesTables: boolean;
}

/** Content of the boot files that the operator supplied. */
export interface BootPlan {
  readonly kernel: Uint8Array;
  readonly limine: Readonly<Record<LimineFile, Uint8Array>>;
  /** The version that Limine's files state; empty if they state none. */
  readonly limineVersion: string;
}

/** Names of Limine's files in its releases. */
export const LIMINE_FILES = ["BOOTX64.EFI", "limine-bios-cd.bin", "limine-bios.sys", "limine-uefi-cd.bin"] as const;
export type LimineFile = (typeof LIMINE_FILES)[number];

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface UpstreamService {
  readonly name: string;
  /** The name of the program in `binaries[]`. */
  readonly binary: string;
  readonly bytes: Uint8Array;
  /** Capabilities in the order of the page. */
  readonly caps: readonly UpstreamCap[];
  /** Names of the capabilities in `caps` that are exported, in the same order. */
  readonly exports: readonly string[];
  readonly restart: Restart;
}

export type Restart = "never" | "on-failure" | "always";
export const RESTARTS: readonly Restart[] = ["never", "on-failure", "always"];

export interface UpstreamCap {
  /** Name in the CapSet of its holder. */
  readonly name: string;
  readonly source:
    | { readonly kind: "kernel"; readonly kernel: KernelSource }
    | { readonly kind: "service"; readonly service: string; readonly export: string };
  readonly badge: bigint;
  readonly discloses: readonly Disclosure[];
}
