import type { Span } from "../../../../lang/text/index.ts";
import type { AuditNode, DigestsLine, KeepLine, Name, SettingsNode, SystemNode } from "../../../../lang/tree/index.ts";
import type { BoundSet } from "../sets.ts";
import type { Backend, Weights } from "./backends.ts";
import type { Assertion } from "./claims.ts";
import type { Ingress, Redaction, Release, Waiver } from "./flows.ts";
import type { Category, Interface, Service, Tool } from "./interfaces.ts";
import type { BoundLabel, Lattice } from "./lattice.ts";
import type { BoundTest } from "./rehearsals.ts";
import type { Principal, Session } from "./sessions.ts";
import type { Task, Worker } from "./tasks.ts";

export interface BoundStorage {
  readonly disk: string;
  readonly encrypt: Name | undefined;
  /** Word of the setting `create`: `blank` lets the machine make its data disk from a blank disk. */
  readonly create: Name | undefined;
  readonly node: SettingsNode;
}

export interface BoundNetwork {
  readonly address: Name | undefined;
  /** Address of the machine with `address static`, such as 192.168.1.5/24. */
  readonly host: Name | undefined;
  readonly router: Name | undefined;
  readonly resolvers: readonly Name[];
  /** Scope of the collector of audit records; `undefined` if there is none. */
  readonly collector: readonly Name[] | undefined;
  readonly node: SettingsNode;
}

/** The page's `audit`: the text that the log keeps, and how long it keeps records. */
export interface BoundAudit {
  readonly digests: BoundDigests | undefined;
  /** When a full log releases its oldest records; `undefined` if it never does. */
  readonly keep: KeepLine | undefined;
  readonly node: AuditNode;
}

/** The limit of what the audit log keeps as text. */
export interface BoundDigests {
  /** Highest label of text that the log stores; text that may not flow to this label is recorded only as a digest. */
  readonly above: BoundLabel;
  readonly line: DigestsLine;
}

/** Firmware with which a machine starts an image. */
type Firmware = "bios" | "uefi";

/** Settings for upstream's kernel in an image of `target capos`, as the page states them. */
export interface BoundUpstream {
  /** Path of the file with upstream's kernel. */
  readonly kernel: Name | undefined;
  /** Path of a folder with the loader's own files. */
  readonly limine: Name | undefined;
  /**
   * Capabilities of the first process, such as `console` or `timer as clock`. Each begins with the name of a capability
   * of the kernel, and words of a grant, such as `as clock`, may follow.
   */
  readonly init: readonly Name[];
  readonly hostname: Name | undefined;
  readonly motd: Name | undefined;
  readonly log: Name | undefined;
  /** Values of the setting `restart`, such as `journal on-failure`: a service, and when it is restarted. */
  readonly restart: readonly Name[];
  /** The service whose end stops the machine. */
  readonly exits: Name | undefined;
  /** Word of the setting `tables`; `none` leaves the policy tables out of the manifest. */
  readonly tables: Name | undefined;
}

/** A size, and its position on the page. */
export interface SizeSetting {
  readonly bytes: bigint;
  readonly span: Span;
}

export interface BoundImage {
  readonly boot: Session | undefined;
  readonly target: Name | undefined;
  readonly machine: Name | undefined;
  /** Console for people; `undefined` if the page leaves it to the machine. */
  readonly console: "serial" | "screen" | undefined;
  /** Firmware in the order `bios`, `uefi`, each once; `undefined` if the page does not state it. */
  readonly firmware: readonly Firmware[] | undefined;
  /** Trust setting; `undefined` if the page does not state it, which means `media`. */
  readonly trust: "media" | "sealed" | undefined;
  /** Memory of the machine on which the image runs; `undefined` if the page does not state it. */
  readonly memory: SizeSetting | undefined;
  readonly upstream: BoundUpstream;
  readonly bootName: Name | undefined;
  readonly node: SettingsNode;
}

/** A whole page, in which every name is resolved. */
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
   * Assertions of the page, and of `std.assertions` if the page uses it. INHERITED lists the assertions that hold for
   * every page.
   */
  readonly assertions: readonly Assertion[];
  readonly tests: readonly BoundTest[];
  readonly storage: BoundStorage | undefined;
  readonly network: BoundNetwork | undefined;
  readonly image: BoundImage | undefined;
  readonly audit: BoundAudit | undefined;
  /**
   * Whether some part of the page could not be read or bound. If so, a finding that something is missing or has no
   * effect may be wrong.
   */
  readonly damaged: boolean;
}
