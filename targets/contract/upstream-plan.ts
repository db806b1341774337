// Defines the plan of a page of `target capos`: which program has which capability of the kernel or of another program.
// The rules come from the crate capos-config 0.1.0, src/manifest.rs and src/validation.rs.

import type { KernelSource } from "./kernel-sources.ts";
import type { Disclosure } from "./upstream-words.ts";

export interface UpstreamPlan {
  /** Path of the operator's kernel below the page's folder. It is required for an image, but not for a manifest. */
  readonly kernel: string;
  /** Path of the folder of Limine's files. It is required for an image, but not for a manifest. */
  readonly limine: string;
  /** Contents of `kernel` and `limine`; present only if an image is made. */
  readonly boot?: BootPlan;
  /** Capabilities that the first process holds, in the page's order. */
  readonly init: readonly UpstreamCap[];
  /** Services in the order in which they start: a provider before its holders, otherwise in code-unit order of names. */
  readonly services: readonly UpstreamService[];
  /** The service whose end stops the machine; empty if there is none. */
  readonly exits: string;
  readonly hostname: string;
  readonly motd: string;
  readonly logLevel: LogLevel;
  /** Whether the manifest contains the policy's tables. */
  readonly carriesTables: boolean;
}

/** Files that start a machine, as the operator supplied them. */
export interface BootPlan {
  readonly kernel: Uint8Array;
  readonly limine: Readonly<Record<LimineFile, Uint8Array>>;
  /** The version that Limine's files state; empty if they state none. */
  readonly limineVersion: string;
}

/** Names of the required files in Limine's releases. */
export const LIMINE_FILES = ["BOOTX64.EFI", "limine-bios-cd.bin", "limine-bios.sys", "limine-uefi-cd.bin"] as const;
export type LimineFile = (typeof LIMINE_FILES)[number];

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface UpstreamService {
  readonly name: string;
  /** The name of the program in `binaries[]`. */
  readonly binary: string;
  readonly bytes: Uint8Array;
  /** Capabilities of the service, in the page's order. */
  readonly caps: readonly UpstreamCap[];
  /** Names of the capabilities that the service exports, in the page's order. */
  readonly exports: readonly string[];
  readonly restart: Restart;
}

export type Restart = "never" | "on-failure" | "always";
export const RESTARTS: readonly Restart[] = ["never", "on-failure", "always"];

export interface UpstreamCap {
  /**
   * Name under which its holder has the capability, in the list of capabilities (CapSet) that upstream gives each
   * process.
   */
  readonly name: string;
  readonly source:
    | { readonly kind: "kernel"; readonly kernel: KernelSource }
    | { readonly kind: "service"; readonly service: string; readonly export: string };
  readonly badge: bigint;
  readonly discloses: readonly Disclosure[];
}
