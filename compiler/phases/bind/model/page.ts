import type { Span } from "../../../../lang/text/index.ts";
import type { Name, SettingsNode, SystemNode } from "../../../../lang/tree/index.ts";
import type { BoundSet } from "../sets.ts";
import type { Backend, Weights } from "./backends.ts";
import type { Assertion } from "./claims.ts";
import type { Ingress, Redaction, Release, Waiver } from "./flows.ts";
import type { Category, Interface, Service, Tool } from "./interfaces.ts";
import type { Lattice } from "./lattice.ts";
import type { BoundTest } from "./rehearsals.ts";
import type { Principal, Session } from "./sessions.ts";
import type { Task, Worker } from "./tasks.ts";

export interface BoundStorage {
  readonly disk: string;
  readonly encrypt: Name | undefined;
  /** Kind of disks that the machine may initialize for storage. */
  readonly create: Name | undefined;
  readonly node: SettingsNode;
}

export interface BoundNetwork {
  readonly address: Name | undefined;
  /** Address of the machine, such as 192.168.1.5/24, if the page has `address static`. */
  readonly host: Name | undefined;
  readonly router: Name | undefined;
  readonly resolvers: readonly Name[];
  /** Network scope of the log collector for audit records; `undefined` if there is none. */
  readonly collector: readonly Name[] | undefined;
  readonly node: SettingsNode;
}

/** Firmware with which a machine starts an image. */
type Firmware = "bios" | "uefi";

/** Settings for upstream's kernel in an image of `target capos`, unchanged. */
export interface BoundUpstream {
  /** Path of the kernel file. */
  readonly kernel: Name | undefined;
  /** Path of a folder with the loader's own files. */
  readonly limine: Name | undefined;
  /** Capabilities of the first process. Each is a kernel source, followed by the words that a grant may have. */
  readonly init: readonly Name[];
  readonly hostname: Name | undefined;
  readonly motd: Name | undefined;
  readonly log: Name | undefined;
  /** Restart settings. Each has a service name and the condition for a restart. */
  readonly restart: readonly Name[];
  /** The service whose exit stops the machine. */
  readonly exits: Name | undefined;
  /** The word `none` if the policy tables are left out of the manifest. */
  readonly tables: Name | undefined;
}

/** A size as the page states it. */
export interface SizeSetting {
  readonly bytes: bigint;
  readonly span: Span;
}

export interface BoundImage {
  readonly boot: Session | undefined;
  readonly target: Name | undefined;
  readonly machine: Name | undefined;
  /** Console for people; `undefined` if the machine chooses it. */
  readonly console: "serial" | "screen" | undefined;
  /** Firmware kinds, each at most once and `bios` first; `undefined` if the page does not state them. */
  readonly firmware: readonly Firmware[] | undefined;
  /** Trust setting; `undefined` if the page does not state it, which means `media`. */
  readonly trust: "media" | "sealed" | undefined;
  /** Memory that the machine gives the image; `undefined` if the page does not state it. */
  readonly memory: SizeSetting | undefined;
  readonly upstream: BoundUpstream;
  readonly bootName: Name | undefined;
  readonly node: SettingsNode;
}

/** The whole page after binding. */
export interface Model {
  readonly system: SystemNode | undefined;
  readonly lattice: Lattice;
  readonly categories: readonly Category[];
  readonly sets: readonly BoundSet[];
  readonly interfaces: readonly Interface[];
  readonly services: readonly Service[];
  /** Tools in code-unit order of their names. */
  readonly tools: readonly Tool[];
  readonly principals: readonly Principal[];
  readonly weights: readonly Weights[];
  readonly backends: readonly Backend[];
  /** Sessions of the package and of the used modules. */
  readonly sessions: readonly Session[];
  readonly tasks: readonly Task[];
  readonly workers: readonly Worker[];
  readonly ingresses: readonly Ingress[];
  readonly redactions: readonly Redaction[];
  readonly releases: readonly Release[];
  readonly waivers: readonly Waiver[];
  /**
   * Assertions of the page, and those of `std.assertions` if the page uses that module. INHERITED lists the assertions that apply to every
   * page.
   */
  readonly assertions: readonly Assertion[];
  readonly tests: readonly BoundTest[];
  readonly storage: BoundStorage | undefined;
  readonly network: BoundNetwork | undefined;
  readonly image: BoundImage | undefined;
  /** Whether a part of the page could not be read or bound. A finding that a declaration is missing or has no effect may then be wrong. */
  readonly damaged: boolean;
}
