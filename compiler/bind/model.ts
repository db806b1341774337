import type { Span } from "../../lang/text/index.ts";
import type {
  FloorLine,
  InterfaceNode,
  LabelNode,
  Line,
  Mode,
  Name,
  PrincipalNode,
  ServiceNode,
  SessionNode,
  SettingsNode,
  SystemNode,
  TimeLimit,
  WhenNode,
  WidenNode,
} from "../../lang/tree/index.ts";
import type { Asset } from "../source/index.ts";
import type { BoundCheck } from "./conditions.ts";
import type { CallableMethod, InterfaceDescription } from "./described.ts";
import type { BoundQuota } from "./quota.ts";

// The page with every name resolved. What could not be resolved was reported and left out; where a hole would make a
// law cry about what nobody wrote, `damaged` says so.

/** Levels as indexes, lowest 0; bit i is compartment i. */
export interface Lattice {
  readonly confidentiality: readonly string[];
  readonly integrity: readonly string[];
  readonly compartments: readonly string[];
}

export interface BoundLabel {
  readonly confidentiality: number;
  /** Undefined where the page writes none: the provider's own for data, no demand for a sink. */
  readonly integrity: number | undefined;
  readonly compartments: bigint;
  readonly node: LabelNode;
}

export interface BoundRange {
  readonly low: BoundLabel;
  readonly high: BoundLabel;
}

export interface Category {
  readonly name: string;
  readonly parent: Category | undefined;
  readonly doc: string;
  readonly span: Span;
}

export interface Interface {
  readonly name: string;
  readonly description: InterfaceDescription;
  readonly methods: ReadonlyMap<string, Method>;
  readonly node: InterfaceNode;
}

/** A method and its facts. */
export interface Method {
  readonly name: string;
  readonly description: CallableMethod;
  readonly category: Category;
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly returns: BoundRange | undefined;
  readonly sends: BoundLabel | undefined;
  readonly redact: readonly string[];
  readonly truncateBytes: number;
}

export type Meaning =
  | { readonly kind: "path" | "url" | "text" | "program" }
  | { readonly kind: "money"; readonly currency: string };

export interface Service {
  readonly name: string;
  readonly interface: Interface;
  readonly label: BoundRange | undefined;
  readonly stateBytes: bigint;
  readonly node: ServiceNode;
}

/** One method of one service: what a model is told of, and what a cell decides about. */
export interface Tool {
  readonly name: string;
  readonly service: Service;
  readonly method: Method;
}

export interface Principal {
  readonly name: string;
  /** OpenSSH public keys without comment. */
  readonly keys: readonly { readonly key: string; readonly span: Span }[];
  readonly node: PrincipalNode;
}

export type BackendKind = "stub" | "cpu" | "gpu" | "remote" | "browser";

export interface Backend {
  readonly name: string;
  readonly kind: BackendKind;
  readonly clearance: BoundLabel | undefined;
  readonly replies: Asset | undefined;
  readonly span: Span;
}

export interface Choice {
  readonly backend: Backend;
  readonly mode: Mode;
  readonly span: Span;
}

/** What a pattern covers, resolved. `key` names it, `exact` says that it names single methods and nothing wider. */
export interface BoundPattern {
  readonly key: string;
  readonly exact: boolean;
  /** Undefined but where it names a category, alone or within an interface. */
  readonly category: Category | undefined;
  readonly tools: readonly Tool[];
  readonly span: Span;
}

export interface BoundLine {
  readonly mode: Mode;
  readonly patterns: readonly BoundPattern[];
  /** Checks and the mode where they fail. */
  readonly where: { readonly checks: readonly BoundCheck[]; readonly otherwise: Mode } | undefined;
  readonly words: string;
  readonly node: Line;
}

export interface BoundFloor {
  readonly mode: Mode;
  readonly patterns: readonly BoundPattern[];
  readonly when: BoundWhen;
  readonly words: string;
  readonly node: FloorLine;
}

export interface BoundWhen {
  /** 0: no such condition. */
  readonly confidentialityAtLeast: number;
  /** 255: no such condition. */
  readonly integrityAtMost: number;
  readonly compartments: bigint;
  readonly unattended: boolean;
  readonly node: WhenNode;
}

export interface BoundTimeLimit {
  readonly scope: "call" | "turn" | "login";
  readonly milliseconds: number;
  readonly node: TimeLimit;
}

export const KINDS = ["operator", "guest", "anonymous", "service"] as const;
export type Kind = (typeof KINDS)[number];

export interface Widening {
  readonly lines: readonly BoundLine[];
  readonly models: readonly Choice[] | undefined;
  readonly clearance: BoundLabel | undefined;
  readonly quotas: readonly BoundQuota[];
  readonly words: string;
  readonly node: WidenNode;
}

/** A session as it is written: what it inherits is looked up in `base`, never copied. */
export interface Session {
  /** `operator`, or `profiles.operator` where it comes from the standard library. */
  readonly id: string;
  readonly abstract: boolean;
  readonly relation: "extends" | "from" | undefined;
  /** Undefined where there is none, or where its name is unknown: then the session is damaged. */
  readonly base: Session | undefined;
  readonly damaged: boolean;
  /** Written in the package, not in the standard library. */
  readonly own: boolean;
  readonly kind: { readonly name: Kind; readonly span: Span } | undefined;
  readonly principals: readonly Principal[] | undefined;
  readonly starts: BoundLabel | undefined;
  readonly clearance: BoundLabel | undefined;
  readonly models: readonly Choice[] | undefined;
  readonly lines: readonly BoundLine[];
  /** One list for each `only`: a tool has to be in all of them. */
  readonly only: readonly (readonly BoundPattern[])[];
  readonly suppress: readonly BoundPattern[];
  readonly floors: readonly BoundFloor[];
  readonly quotas: readonly BoundQuota[];
  readonly timeouts: readonly BoundTimeLimit[];
  readonly widenings: readonly Widening[];
  readonly node: SessionNode;
}

export interface BoundStorage {
  readonly disk: string;
  readonly node: SettingsNode;
}

export interface BoundImage {
  readonly boot: Session | undefined;
  readonly target: Name | undefined;
  readonly machine: Name | undefined;
  readonly bootName: Name | undefined;
  readonly node: SettingsNode;
}

export interface Model {
  readonly system: SystemNode | undefined;
  readonly lattice: Lattice;
  readonly categories: readonly Category[];
  readonly interfaces: readonly Interface[];
  readonly services: readonly Service[];
  /** In code-unit order of their names. */
  readonly tools: readonly Tool[];
  readonly principals: readonly Principal[];
  readonly backends: readonly Backend[];
  /** Those of the package and of the used modules. */
  readonly sessions: readonly Session[];
  readonly storage: BoundStorage | undefined;
  readonly image: BoundImage | undefined;
  /** A syntax error somewhere at the top: what seems to be missing may have been lost. */
  readonly damaged: boolean;
}
