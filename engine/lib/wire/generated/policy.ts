// Generated from policy.capnp by `npm run generate`. Do not edit.

import { bool, enumeration, field, group, int64, list, nothing, of, struct, text, type EnumLayout, type StructLayout, uint16, uint32, uint64, uint8 } from "../layout.ts";
import { PermissionMode } from "./capos.ts";

export type AuditKeep = "always" | "untilShipped" | "untilExported";

export const AuditKeep: EnumLayout<AuditKeep> = /* @__PURE__ */ enumeration("AuditKeep", ["always", "untilShipped", "untilExported"]);

export type BackendKind = "stub" | "cpu" | "gpu" | "remote" | "browser";

export const BackendKind: EnumLayout<BackendKind> = /* @__PURE__ */ enumeration("BackendKind", ["stub", "cpu", "gpu", "remote", "browser"]);

export type ConditionEach = "single" | "every" | "some";

export const ConditionEach: EnumLayout<ConditionEach> = /* @__PURE__ */ enumeration("ConditionEach", ["single", "every", "some"]);

export type ConditionExtract = "none" | "urls" | "addresses";

export const ConditionExtract: EnumLayout<ConditionExtract> = /* @__PURE__ */ enumeration("ConditionExtract", ["none", "urls", "addresses"]);

export type ConditionOperator = "equal" | "notEqual" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual" | "in" | "under" | "startsWith" | "endsWith" | "matches" | "from";

export const ConditionOperator: EnumLayout<ConditionOperator> = /* @__PURE__ */ enumeration("ConditionOperator", ["equal", "notEqual", "less", "lessOrEqual", "greater", "greaterOrEqual", "in", "under", "startsWith", "endsWith", "matches", "from"]);

export type ConditionTerm = "value" | "size" | "origin" | "count" | "domain" | "has" | "date" | "duration";

export const ConditionTerm: EnumLayout<ConditionTerm> = /* @__PURE__ */ enumeration("ConditionTerm", ["value", "size", "origin", "count", "domain", "has", "date", "duration"]);

export type ParameterKind = "text" | "number" | "money" | "date" | "duration" | "size";

export const ParameterKind: EnumLayout<ParameterKind> = /* @__PURE__ */ enumeration("ParameterKind", ["text", "number", "money", "date", "duration", "size"]);

export type PlaceKind = "bool" | "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" | "float32" | "float64";

export const PlaceKind: EnumLayout<PlaceKind> = /* @__PURE__ */ enumeration("PlaceKind", ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]);

export type QuotaScope = "call" | "turn" | "conversation" | "task" | "login" | "principal" | "hour" | "day";

export const QuotaScope: EnumLayout<QuotaScope> = /* @__PURE__ */ enumeration("QuotaScope", ["call", "turn", "conversation", "task", "login", "principal", "hour", "day"]);

export type QuotaUnit = "calls" | "tokens" | "prompts" | "bytes" | "category" | "money";

export const QuotaUnit: EnumLayout<QuotaUnit> = /* @__PURE__ */ enumeration("QuotaUnit", ["calls", "tokens", "prompts", "bytes", "category", "money"]);

export type ReleaseAct = "declassify" | "endorse";

export const ReleaseAct: EnumLayout<ReleaseAct> = /* @__PURE__ */ enumeration("ReleaseAct", ["declassify", "endorse"]);

export type RowLogin = "none" | "key" | "passphrase";

export const RowLogin: EnumLayout<RowLogin> = /* @__PURE__ */ enumeration("RowLogin", ["none", "key", "passphrase"]);

export type RowRemember = "none" | "turn" | "conversation";

export const RowRemember: EnumLayout<RowRemember> = /* @__PURE__ */ enumeration("RowRemember", ["none", "turn", "conversation"]);

export type TypeForm = "any" | "object" | "list";

export const TypeForm: EnumLayout<TypeForm> = /* @__PURE__ */ enumeration("TypeForm", ["any", "object", "list"]);

/** Which text the audit keeps. */
export interface AuditLimit {
  /** The page names a label above which only digests are kept. False: all text is kept. */
  readonly hasLimit: boolean;
  /** Integrity 0: the text of every integrity is kept up to this level and these compartments. */
  readonly above: Label;
  /** How long records stay in a log whose partition has no room left. */
  readonly keep: AuditKeep;
}

export const AuditLimit: StructLayout<AuditLimit> = /* @__PURE__ */ struct({ name: "AuditLimit", id: 0x803121972901e3d0n, sizes: [1, 1], shape: () => ({
  fields: [
    field("hasLimit", bool, 0),
    field("above", of(() => Label), 0),
    field("keep", AuditKeep, 1),
  ],
}) });

export interface Backend {
  readonly name: string;
  readonly kind: BackendKind;
  readonly clearance: Label;
  readonly local: boolean;
  /** Charged beside those of the row, whoever asks. */
  readonly quotas: readonly Quota[];
  /** It may answer only where the audit is durable. */
  readonly logRequired: boolean;
  /** In which its provider is paid; empty: the page says no price. */
  readonly currency: string;
  readonly inputMicros: bigint;
  /** Price of a million tokens, of what is asked and of what is answered, in millionths of the currency. */
  readonly outputMicros: bigint;
  /** The model that makes vectors of what is said where this backend is the first that answers unasked; empty: none. */
  readonly embedder: string;
  /** Of its model: no answer uses more, what it was asked included. 0: nobody said. */
  readonly contextTokens: number;
}

export const Backend: StructLayout<Backend> = /* @__PURE__ */ struct({ name: "Backend", id: 0xcc29552d805c4c5cn, sizes: [3, 5], shape: () => ({
  fields: [
    field("name", text, 0),
    field("kind", BackendKind, 0),
    field("clearance", of(() => Label), 1),
    field("local", bool, 16),
    field("quotas", list(of(() => Quota)), 2),
    field("logRequired", bool, 17),
    field("currency", text, 3),
    field("inputMicros", uint64, 1),
    field("outputMicros", uint64, 2),
    field("embedder", text, 4),
    field("contextTokens", uint32, 1),
  ],
}) });

export interface BackendChoice {
  readonly backend: number;
  readonly mode: PermissionMode;
}

export const BackendChoice: StructLayout<BackendChoice> = /* @__PURE__ */ struct({ name: "BackendChoice", id: 0xb1db3ada2d84152dn, sizes: [1, 0], shape: () => ({
  fields: [
    field("backend", uint16, 0),
    field("mode", PermissionMode, 1),
  ],
}) });

export interface Category {
  readonly name: string;
  /** Index into categories; 65535: one of the five roots. */
  readonly parent: number;
}

export const Category: StructLayout<Category> = /* @__PURE__ */ struct({ name: "Category", id: 0xc22444b6e5653f91n, sizes: [1, 1], shape: () => ({
  fields: [
    field("name", text, 0),
    field("parent", uint16, 0),
  ],
}) });

export interface Clause {
  /** All must hold for `met`; none: unconditional. */
  readonly conditions: readonly Condition[];
  readonly met: PermissionMode;
  readonly otherwise: PermissionMode;
  readonly rule: number;
  /**
   * Clauses of a decision with one number are lines of one layer and pattern. Of those that match, one whose conditions are
   * those of another and more displaces it; the modes of the others count. If none matches, the modes behind `else` count.
   * 0: a group by itself. Numbers begin with 1 in order of first use, and each has two clauses at least.
   */
  readonly group: number;
}

export const Clause: StructLayout<Clause> = /* @__PURE__ */ struct({ name: "Clause", id: 0xe71a6a514ed9cec2n, sizes: [2, 1], shape: () => ({
  fields: [
    field("conditions", list(of(() => Condition)), 0),
    field("met", PermissionMode, 0),
    field("otherwise", PermissionMode, 1),
    field("rule", uint32, 1),
    field("group", uint16, 4),
  ],
}) });

/** A test of one argument; what cannot be evaluated takes the strictest mode of the cell. */
export interface Condition {
  /** Argument name, then record fields. */
  readonly path: readonly string[];
  readonly term: ConditionTerm;
  readonly operator: ConditionOperator;
  /** One, but for `in`; none for `from`. */
  readonly literals: readonly Literal[];
  /** Whether the term has one value, or is asked of every element of the lists on its path. */
  readonly each: ConditionEach;
  /** Literals that are found inside the text, in place of the text itself. */
  readonly extract: ConditionExtract;
  /** The condition holds of an argument that is absent or null. */
  readonly absentHolds: boolean;
  /** Of `from`: it holds if the words of the term stood in one of these. */
  readonly sources: readonly Source[];
}

export const Condition: StructLayout<Condition> = /* @__PURE__ */ struct({ name: "Condition", id: 0xbf9531720313d6fan, sizes: [2, 3], shape: () => ({
  fields: [
    field("path", list(text), 0),
    field("term", ConditionTerm, 0),
    field("operator", ConditionOperator, 1),
    field("literals", list(of(() => Literal)), 1),
    field("each", ConditionEach, 2),
    field("extract", ConditionExtract, 3),
    field("absentHolds", bool, 64),
    field("sources", list(of(() => Source)), 2),
  ],
}) });

/** Each group of clauses comes to modes; the strictest of these and of all floors that are met decides. */
export interface Decision {
  readonly clauses: readonly Clause[];
  readonly floors: readonly Floor[];
}

export const Decision: StructLayout<Decision> = /* @__PURE__ */ struct({ name: "Decision", id: 0xd627ac82f991a59dn, sizes: [0, 2], shape: () => ({
  fields: [
    field("clauses", list(of(() => Clause)), 0),
    field("floors", list(of(() => Floor)), 1),
  ],
}) });

/** `when … atLeast … where`: met by the conversation and, where conditions are written, by the arguments. */
export interface Floor {
  /** 0: no such condition. */
  readonly confidentialityAtLeast: number;
  /** 255: no such condition. */
  readonly integrityAtMost: number;
  /** All of these are in the conversation's label. */
  readonly compartments: bigint;
  readonly unattended: boolean;
  readonly mode: PermissionMode;
  readonly rule: number;
  /** All must hold of the arguments; one that cannot be evaluated counts as if it held. */
  readonly conditions: readonly Condition[];
}

export const Floor: StructLayout<Floor> = /* @__PURE__ */ struct({ name: "Floor", id: 0xacce9ad0e47d192dn, sizes: [3, 1], shape: () => ({
  fields: [
    field("confidentialityAtLeast", uint8, 0),
    field("integrityAtMost", uint8, 1),
    field("compartments", uint64, 1),
    field("unattended", bool, 16),
    field("mode", PermissionMode, 2),
    field("rule", uint32, 4),
    field("conditions", list(of(() => Condition)), 0),
  ],
}) });

/** Where words come from that begin a conversation in a row. */
export interface Ingress {
  readonly name: string;
  readonly source: string;
  readonly address: string;
  readonly row: number;
  /** Of what comes in. */
  readonly label: Label;
  /** Time zone of the database of IANA, in which the address of a timer is read; empty for other sources. */
  readonly zone: string;
  /** What a timer does about runs that were missed: skip, once or each; empty for other sources. */
  readonly missed: string;
  /** The message with which a run of a timer begins its conversation; empty for other sources. */
  readonly says: string;
}

export const Ingress: StructLayout<Ingress> = /* @__PURE__ */ struct({ name: "Ingress", id: 0xb0be48a4a6054459n, sizes: [1, 7], shape: () => ({
  fields: [
    field("name", text, 0),
    field("source", text, 1),
    field("address", text, 2),
    field("row", uint32, 0),
    field("label", of(() => Label), 3),
    field("zone", text, 4),
    field("missed", text, 5),
    field("says", text, 6),
  ],
}) });

export interface Label {
  readonly confidentiality: number;
  readonly integrity: number;
  /** Bit i: compartment i. */
  readonly compartments: bigint;
}

export const Label: StructLayout<Label> = /* @__PURE__ */ struct({ name: "Label", id: 0xaaace7d57e290e0en, sizes: [2, 0], shape: () => ({
  fields: [
    field("confidentiality", uint8, 0),
    field("integrity", uint8, 1),
    field("compartments", uint64, 1),
  ],
}) });

export interface LabelRange {
  readonly low: Label;
  readonly high: Label;
}

export const LabelRange: StructLayout<LabelRange> = /* @__PURE__ */ struct({ name: "LabelRange", id: 0xec666fac8b6ba290n, sizes: [0, 2], shape: () => ({
  fields: [
    field("low", of(() => Label), 0),
    field("high", of(() => Label), 1),
  ],
}) });

/** Levels lowest first; compartments in code-unit order, at most 64. */
export interface Lattice {
  readonly confidentiality: readonly string[];
  readonly integrity: readonly string[];
  readonly compartments: readonly string[];
}

export const Lattice: StructLayout<Lattice> = /* @__PURE__ */ struct({ name: "Lattice", id: 0xd6222bb32a00aaf6n, sizes: [0, 3], shape: () => ({
  fields: [
    field("confidentiality", list(text), 0),
    field("integrity", list(text), 1),
    field("compartments", list(text), 2),
  ],
}) });

/** One struct of a schema. */
export interface Layout {
  readonly dataWords: number;
  readonly pointers: number;
  /** One for each of the parameters, or members of the record, in their order. */
  readonly places: readonly Place[];
}

export const Layout: StructLayout<Layout> = /* @__PURE__ */ struct({ name: "Layout", id: 0xe878c55adc0f6ec3n, sizes: [1, 1], shape: () => ({
  fields: [
    field("dataWords", uint16, 0),
    field("pointers", uint16, 1),
    field("places", list(of(() => Place)), 0),
  ],
}) });

export type Literal =
  | {
      readonly which: "text";
      readonly text: string;
    }
  | {
      readonly which: "boolean";
      readonly boolean: boolean;
    }
  | {
      readonly which: "decimal";
      /** Exact decimal, already in the smallest unit where it is an amount of bytes. */
      readonly decimal: string;
    }
  | {
      readonly which: "parameter";
      /** The value that the person chose who began the task; where it is not known, the condition cannot be evaluated. */
      readonly parameter: {
        readonly name: string;
        readonly kind: ParameterKind;
      };
    };

export const Literal: StructLayout<Literal> = /* @__PURE__ */ struct({ name: "Literal", id: 0x8c2329eb1ec7aa6dn, sizes: [1, 1], shape: () => ({
  fields: [],
  union: { tagOffset: 0, members: [
    field("text", text, 0),
    field("boolean", bool, 16),
    field("decimal", text, 0),
    field("parameter", group({
      fields: [
        field("name", text, 0),
        field("kind", ParameterKind, 1),
      ],
    }), 0),
  ] },
}) });

export interface Param {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
}

export const Param: StructLayout<Param> = /* @__PURE__ */ struct({ name: "Param", id: 0xcbd3379b7b795a3fn, sizes: [1, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("type", of(() => Type), 1),
    field("required", bool, 0),
  ],
}) });

/** A value that a person chooses who begins a task. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  /** Of money; else empty. */
  readonly currency: string;
}

export const Parameter: StructLayout<Parameter> = /* @__PURE__ */ struct({ name: "Parameter", id: 0xedaa0b2f0701b999n, sizes: [1, 2], shape: () => ({
  fields: [
    field("name", text, 0),
    field("kind", ParameterKind, 0),
    field("currency", text, 1),
  ],
}) });

/** Where one parameter stands, and how it is stored. */
export type Place = {
  /** In units of the size of what is stored; of a pointer its index. Zero for groups, and for elements of lists. */
  readonly offset: number;
  /** Bits of the default. */
  readonly standard: bigint;
} & (
  | {
      readonly which: "scalar";
      readonly scalar: PlaceKind;
    }
  | { readonly which: "choice" }
  | { readonly which: "text" }
  | {
      readonly which: "list";
      readonly list: Place;
    }
  | {
      readonly which: "record";
      readonly record: Layout;
    }
  | {
      readonly which: "group";
      /** A record whose members stand in the sections around it. */
      readonly group: Layout;
    }
);

export const Place: StructLayout<Place> = /* @__PURE__ */ struct({ name: "Place", id: 0xabfa214d60ddac1bn, sizes: [2, 1], shape: () => ({
  fields: [
    field("offset", uint32, 0),
    field("standard", uint64, 1),
  ],
  union: { tagOffset: 3, members: [
    field("scalar", PlaceKind, 2),
    field("choice", nothing, 0),
    field("text", nothing, 0),
    field("list", of(() => Place), 0),
    field("record", of(() => Layout), 0),
    field("group", of(() => Layout), 0),
  ] },
}) });

export interface PolicyTables {
  readonly schemaVersion: number;
  readonly systemId: string;
  readonly version: string;
  readonly lattice: Lattice;
  readonly categories: readonly Category[];
  readonly tools: readonly Tool[];
  readonly rules: readonly Rule[];
  /** Distinct decision lists that cells share, in order of first use. */
  readonly decisions: readonly Decision[];
  /** By session, then task, in code-unit order; phases as the page has them; workers of each in code-unit order. */
  readonly rows: readonly Row[];
  readonly backends: readonly Backend[];
  readonly principals: readonly Principal[];
  /** In the order of their rules. */
  readonly releases: readonly Release[];
  readonly ingresses: readonly Ingress[];
  /** Texts of the page's named sets: whose words are the page's. In code-unit order, each once; empty where no line asks for them. */
  readonly pageTexts: readonly string[];
  /** In code-unit order of their names. */
  readonly redactions: readonly Redaction[];
  readonly audit: AuditLimit;
}

export const PolicyTables: StructLayout<PolicyTables> = /* @__PURE__ */ struct({ name: "PolicyTables", id: 0xfeffd2049b50987en, sizes: [1, 15], shape: () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("systemId", text, 0),
    field("version", text, 1),
    field("lattice", of(() => Lattice), 2),
    field("categories", list(of(() => Category)), 3),
    field("tools", list(of(() => Tool)), 4),
    field("rules", list(of(() => Rule)), 5),
    field("decisions", list(of(() => Decision)), 6),
    field("rows", list(of(() => Row)), 7),
    field("backends", list(of(() => Backend)), 8),
    field("principals", list(of(() => Principal)), 9),
    field("releases", list(of(() => Release)), 10),
    field("ingresses", list(of(() => Ingress)), 11),
    field("pageTexts", list(text), 12),
    field("redactions", list(of(() => Redaction)), 13),
    field("audit", of(() => AuditLimit), 14),
  ],
}) });

export interface Principal {
  readonly name: string;
  /** OpenSSH public keys, "ssh-ed25519 AAAA…", without comment. */
  readonly keys: readonly string[];
  /** What its passphrase is called on the data disk; empty: it has none. */
  readonly passphrase: string;
}

export const Principal: StructLayout<Principal> = /* @__PURE__ */ struct({ name: "Principal", id: 0xd93d0cf65be9a085n, sizes: [0, 3], shape: () => ({
  fields: [
    field("name", text, 0),
    field("keys", list(text), 1),
    field("passphrase", text, 2),
  ],
}) });

export interface Quota {
  /** In the smallest unit: of money a millionth of the currency's unit. */
  readonly amount: bigint;
  readonly unit: QuotaUnit;
  /** Category name or currency where the unit is one of those; else empty. */
  readonly name: string;
  readonly scope: QuotaScope;
  readonly rule: number;
}

export const Quota: StructLayout<Quota> = /* @__PURE__ */ struct({ name: "Quota", id: 0xa8502941b78ef14cn, sizes: [2, 1], shape: () => ({
  fields: [
    field("amount", uint64, 0),
    field("unit", QuotaUnit, 4),
    field("name", text, 0),
    field("scope", QuotaScope, 5),
    field("rule", uint32, 3),
  ],
}) });

/** Text that is masked in a conversation before a backend hears it whose clearance the label may not flow to. */
export interface Redaction {
  readonly name: string;
  readonly label: Label;
  /** Of `?`, `*`, `#` and `\\`, found anywhere in a text; `*` is a run without white space. */
  readonly patterns: readonly string[];
  /** Fields of results. */
  readonly results: readonly RedactionField[];
  /** Fields of arguments. */
  readonly arguments: readonly RedactionField[];
}

export const Redaction: StructLayout<Redaction> = /* @__PURE__ */ struct({ name: "Redaction", id: 0xf31d553c8f5b012en, sizes: [0, 5], shape: () => ({
  fields: [
    field("name", text, 0),
    field("label", of(() => Label), 1),
    field("patterns", list(text), 2),
    field("results", list(of(() => RedactionField)), 3),
    field("arguments", list(of(() => RedactionField)), 4),
  ],
}) });

export interface RedactionField {
  readonly tool: string;
  /** Names of members from the outermost record inwards, joined by `.`; lists add nothing. */
  readonly name: string;
}

export const RedactionField: StructLayout<RedactionField> = /* @__PURE__ */ struct({ name: "RedactionField", id: 0xbe6a97b4e7b81aa1n, sizes: [0, 2], shape: () => ({
  fields: [
    field("tool", text, 0),
    field("name", text, 1),
  ],
}) });

/** A condition on the record of a source, or on the call that it is a result of. */
export interface Related {
  /** A field of the same record; of the call: an argument. */
  readonly name: string;
  readonly ofCall: boolean;
  /** It says this and nothing else; only where `sources` is empty. */
  readonly text: string;
  /** Its words stood in one of these, none of which has related fields of its own. */
  readonly sources: readonly Source[];
}

export const Related: StructLayout<Related> = /* @__PURE__ */ struct({ name: "Related", id: 0x9275ca414a90faf9n, sizes: [1, 3], shape: () => ({
  fields: [
    field("name", text, 0),
    field("ofCall", bool, 0),
    field("text", text, 1),
    field("sources", list(of(() => Source)), 2),
  ],
}) });

/**
 * One call's arguments may flow where the conversation's label would not let them, once a person has seen them in full.
 * The conversation keeps its label.
 */
export interface Release {
  readonly tools: readonly number[];
  readonly act: ReleaseAct;
  /** Covers conversations whose label may flow here. */
  readonly from: Label;
  /** What the arguments count as: its level and compartments where declassified, its integrity where endorsed. */
  readonly to: Label;
  readonly gate: PermissionMode;
  readonly rule: number;
}

export const Release: StructLayout<Release> = /* @__PURE__ */ struct({ name: "Release", id: 0xf8e2c4642d457785n, sizes: [1, 3], shape: () => ({
  fields: [
    field("tools", list(uint16), 0),
    field("act", ReleaseAct, 0),
    field("from", of(() => Label), 1),
    field("to", of(() => Label), 2),
    field("gate", PermissionMode, 1),
    field("rule", uint32, 1),
  ],
}) });

/** One per session, task, phase, worker; empty text where there is none. */
export interface Row {
  readonly session: string;
  readonly task: string;
  readonly phase: string;
  readonly worker: string;
  /** operator, guest, anonymous, service. */
  readonly kind: string;
  readonly principals: readonly number[];
  /** One per tool: 0 suppressed or outside `only`; 1 covered by no line; otherwise 2 + index into decisions. */
  readonly cells: readonly number[];
  readonly clearance: Label;
  readonly starts: Label;
  readonly backends: readonly BackendChoice[];
  readonly quotas: readonly Quota[];
  readonly timeouts: Timeouts;
  /** Place of the phase in its task: a conversation begins in 0 and goes forward only. */
  readonly phaseIndex: number;
  /** The gate to pass before a conversation is in this row: at its beginning in phase 0, at the step into any other. */
  readonly entry: PermissionMode;
  /** The line that asks for it; without meaning where entry is auto. */
  readonly entryRule: number;
  /** For how long consent to one thing is consent to the next like it. */
  readonly remember: RowRemember;
  /** Those that hold here. */
  readonly releases: readonly number[];
  /** What opens the session: until then nothing in it is heard, answered or called. The same in all rows of a session. */
  readonly login: RowLogin;
  /** The line that asks for it; without meaning where login is none. */
  readonly loginRule: number;
  /** Nothing runs here: the session requires a task, and this row is outside of every task. */
  readonly requiresTask: boolean;
  /** The line that says so; without meaning where requiresTask is false. */
  readonly taskRule: number;
  /** Of the task, in the order of the page. The same in all rows of a task. */
  readonly parameters: readonly Parameter[];
}

export const Row: StructLayout<Row> = /* @__PURE__ */ struct({ name: "Row", id: 0xccc245a710af7dban, sizes: [3, 14], shape: () => ({
  fields: [
    field("session", text, 0),
    field("task", text, 1),
    field("phase", text, 2),
    field("worker", text, 3),
    field("kind", text, 4),
    field("principals", list(uint16), 5),
    field("cells", list(uint32), 6),
    field("clearance", of(() => Label), 7),
    field("starts", of(() => Label), 8),
    field("backends", list(of(() => BackendChoice)), 9),
    field("quotas", list(of(() => Quota)), 10),
    field("timeouts", of(() => Timeouts), 11),
    field("phaseIndex", uint16, 0),
    field("entry", PermissionMode, 1),
    field("entryRule", uint32, 1),
    field("remember", RowRemember, 4),
    field("releases", list(uint16), 12),
    field("login", RowLogin, 5),
    field("loginRule", uint32, 3),
    field("requiresTask", bool, 128),
    field("taskRule", uint32, 5),
    field("parameters", list(of(() => Parameter)), 13),
  ],
}) });

/** A line of the page, as /why and the audit name it. */
export interface Rule {
  /** session:line-of-permission, stable within one source, e.g. "operator/consent mutatingLocal". */
  readonly id: string;
  /** The line as canonical source text. */
  readonly words: string;
  /** file:line:column */
  readonly place: string;
}

export const Rule: StructLayout<Rule> = /* @__PURE__ */ struct({ name: "Rule", id: 0x98b8c0f135c9a1c3n, sizes: [0, 3], shape: () => ({
  fields: [
    field("id", text, 0),
    field("words", text, 1),
    field("place", text, 2),
  ],
}) });

/** Where a provider may send requests; the same as a place of egress.capnp. */
export interface Server {
  /** "http" or "https". */
  readonly scheme: string;
  /** A name in lower case, an IPv4 address, or "*": any name that leads to public addresses alone. */
  readonly host: string;
  readonly port: number;
  /** Requests lie below it, by whole segments. */
  readonly path: string;
}

export const Server: StructLayout<Server> = /* @__PURE__ */ struct({ name: "Server", id: 0xfd7fb683d2a71bf4n, sizes: [1, 3], shape: () => ({
  fields: [
    field("scheme", text, 0),
    field("host", text, 1),
    field("port", uint16, 0),
    field("path", text, 2),
  ],
}) });

/** A place that the words of an argument may come from. */
export type Source =
  /** Typed at the console in this conversation. */
  | { readonly which: "person" }
  /** Pasted in brackets at the console. */
  | { readonly which: "pasted" }
  /** Values of the page, and of the parameters of its task. */
  | { readonly which: "page" }
  /** Text of the lowest integrity, and nothing better. */
  | { readonly which: "untrusted" }
  | {
      readonly which: "atLeast";
      /** Anything read at this integrity or above. */
      readonly atLeast: number;
    }
  | {
      readonly which: "field";
      readonly field: {
        readonly tool: string;
        /** Names of members from the result inwards, joined by `.`; lists add nothing. Empty: the result is a text. */
        readonly name: string;
        /** All must hold of the record that the field stands in. */
        readonly related: readonly Related[];
        /** The tool names it among its strong fields. */
        readonly isStrong: boolean;
      };
    };

export const Source: StructLayout<Source> = /* @__PURE__ */ struct({ name: "Source", id: 0x9edad7b5db86a76fn, sizes: [1, 3], shape: () => ({
  fields: [],
  union: { tagOffset: 0, members: [
    field("person", nothing, 0),
    field("pasted", nothing, 0),
    field("page", nothing, 0),
    field("untrusted", nothing, 0),
    field("atLeast", uint8, 2),
    field("field", group({
      fields: [
        field("tool", text, 0),
        field("name", text, 1),
        field("related", list(of(() => Related)), 2),
        field("isStrong", bool, 16),
      ],
    }), 0),
  ] },
}) });

/** Milliseconds; 0: the runtime's own limit. */
export interface Timeouts {
  readonly callMs: number;
  readonly turnMs: number;
  readonly loginMs: number;
  /** Without a word of the person's; then the session locks, and a login opens it. 0: it does not lock by itself. */
  readonly idleMs: number;
}

export const Timeouts: StructLayout<Timeouts> = /* @__PURE__ */ struct({ name: "Timeouts", id: 0xc687d03a3c3fb6ean, sizes: [2, 0], shape: () => ({
  fields: [
    field("callMs", uint32, 0),
    field("turnMs", uint32, 1),
    field("loginMs", uint32, 2),
    field("idleMs", uint32, 3),
  ],
}) });

export interface Tool {
  /** instance.method, as the model names it. */
  readonly name: string;
  readonly description: string;
  readonly interfaceId: bigint;
  readonly interfaceName: string;
  /** Ordinal. */
  readonly method: number;
  readonly methodName: string;
  readonly category: number;
  /** Its category is readOnly or descends from it. */
  readonly readOnly: boolean;
  /** The service that answers. */
  readonly provider: string;
  /** JSON Schema of the arguments, canonical JSON. */
  readonly paramSchema: string;
  /** The same in the form that the gate checks; in declaration order. */
  readonly params: readonly Param[];
  readonly result: LabelRange;
  /** Where the arguments flow to: the provider's label, or what it may send. */
  readonly sink: Label;
  /** The provider has a network grant. */
  readonly networked: boolean;
  /** Result fields that are masked. */
  readonly redact: readonly string[];
  /** Of the result that returns to the model; 0: the runtime's limit. */
  readonly truncateBytes: number;
  /** The page brings the program that answers: what it does is what its jail lets it, whatever its category says. */
  readonly pageProgram: boolean;
  /** Result fields that only their owner fills, as the page says: words of them may lower a gate to auto. In code-unit order. */
  readonly strong: readonly string[];
  /**
   * Where the parameters stand in a Cap'n Proto message of them, as the schema lays them out that the page imports. Blank: the
   * interface is of the standard library, whose layouts programs hold, or the tool takes its arguments as JSON alone.
   */
  readonly layout: Layout;
  /**
   * Of the provider's network grant, in the order of the page: the gate refuses a call to any other before it asks. Empty: the provider
   * is not one of HTTP.
   */
  readonly servers: readonly Server[];
  /** The grant does not cover the HTTP method of this tool: no call of it can be sent. */
  readonly methodDenied: boolean;
}

export const Tool: StructLayout<Tool> = /* @__PURE__ */ struct({ name: "Tool", id: 0xd5c85616b230176en, sizes: [3, 13], shape: () => ({
  fields: [
    field("name", text, 0),
    field("description", text, 1),
    field("interfaceId", uint64, 0),
    field("interfaceName", text, 2),
    field("method", uint16, 4),
    field("methodName", text, 3),
    field("category", uint16, 5),
    field("readOnly", bool, 96),
    field("provider", text, 4),
    field("paramSchema", text, 5),
    field("params", list(of(() => Param)), 6),
    field("result", of(() => LabelRange), 7),
    field("sink", of(() => Label), 8),
    field("networked", bool, 97),
    field("redact", list(text), 9),
    field("truncateBytes", uint32, 4),
    field("pageProgram", bool, 98),
    field("strong", list(text), 10),
    field("layout", of(() => Layout), 11),
    field("servers", list(of(() => Server)), 12),
    field("methodDenied", bool, 99),
  ],
}) });

/** The shape of a JSON value. Integers beyond 2^53 travel as decimal text. */
export type Type =
  | { readonly which: "boolean" }
  | {
      readonly which: "integer";
      readonly integer: {
        readonly low: bigint;
        readonly high: bigint;
      };
    }
  | { readonly which: "number" }
  | {
      readonly which: "text";
      readonly text: {
        readonly maxBytes: number;
      };
    }
  | {
      readonly which: "choice";
      readonly choice: readonly string[];
    }
  | {
      readonly which: "list";
      readonly list: Type;
    }
  | {
      readonly which: "record";
      readonly record: readonly Param[];
    }
  | {
      readonly which: "json";
      /** A value of which the gate looks at no part but the outermost: the provider checks it. */
      readonly json: {
        /** Of its canonical JSON; 0: the reader's own limit. */
        readonly maxBytes: number;
        readonly form: TypeForm;
      };
    }
  | {
      readonly which: "either";
      /** A value that fits one of these. */
      readonly either: readonly Type[];
    };

export const Type: StructLayout<Type> = /* @__PURE__ */ struct({ name: "Type", id: 0xb99ba88a46b7a2f8n, sizes: [3, 1], shape: () => ({
  fields: [],
  union: { tagOffset: 0, members: [
    field("boolean", nothing, 0),
    field("integer", group({
      fields: [
        field("low", int64, 1),
        field("high", uint64, 2),
      ],
    }), 0),
    field("number", nothing, 0),
    field("text", group({
      fields: [
        field("maxBytes", uint32, 2),
      ],
    }), 0),
    field("choice", list(text), 0),
    field("list", of(() => Type), 0),
    field("record", list(of(() => Param)), 0),
    field("json", group({
      fields: [
        field("maxBytes", uint32, 2),
        field("form", TypeForm, 6),
      ],
    }), 0),
    field("either", list(of(() => Type)), 0),
  ] },
}) });
