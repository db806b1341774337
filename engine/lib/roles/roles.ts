// The table of process roles. All other lists of roles are derived from this table, or `compiler/dev/places` compares
// them with it. Rows are plain data, so that processes can load the table quickly.

const MIB = 1024 * 1024;

/** Interfaces between processes of the runtime; their ids are in `interfaces.ts`. */
export type RuntimeInterface =
  | "Approval"
  | "AuditLog"
  | "Broker"
  | "ConversationLog"
  | "ConversationStore"
  | "HttpEndpoint"
  | "HttpExchange"
  | "LanguageModel"
  | "Metering"
  | "PlanGate"
  | "Session"
  | "Supervisor"
  | "SyslogExit"
  | "TaskDesk"
  | "TaskHost"
  | "TaskRecord"
  | "Terminal"
  | "TextEmbedder"
  | "ToolProxy";

/** An interface that a process may be granted. `tools` means any interface whose methods are tools. */
export type GrantableInterface = RuntimeInterface | "tools";

/** A resource that init may pass to a process in addition to grants. The jail of the role must allow it too. */
export type HandedResource = "blob" | "directory" | "key" | "partition" | "states" | "terminal" | "weights";

/** A method of `Supervisor` that init serves only to some processes. */
export type InitMethod = "facts" | "readLog" | "readNotices" | "restart" | "stop";

/** The program of a process: a bundled program on Node, a static program of the image, or a static program of the page. */
type Program =
  | { readonly runs: "node"; readonly entry: string; readonly hasAddons?: true }
  | { readonly runs: "static"; readonly path: string }
  | { readonly runs: "package" };

/** Kinds of roles. Processes of the kind `service` only run tools; all other kinds are parts of the runtime. */
export type RoleKind = "backend" | "outside" | "runtime" | "service" | "session";

export interface RoleRow {
  /** Description of the role for the generated documentation. The description completes the sentence "a process of this role …". */
  readonly does: string;
  readonly kind: RoleKind;
  readonly program: Program;
  /** Whether init restarts the process if it dies. A comment beside each `never` gives the reason. */
  readonly restart: "never" | "soon";
  /** Memory in bytes: the limit, and the usual amount while the process serves calls. */
  readonly memory: { readonly most: number; readonly usual: number };
  /** Name of the process, or its part before the dot. Absent for services, whose names are on the page. */
  readonly process?: string;
  readonly holds: readonly GrantableInterface[];
  readonly asksInit: readonly InitMethod[];
  readonly handed: readonly HandedResource[];
  readonly hasNetwork?: true;
  /** Interfaces of the runtime that the process serves; `services.ts` lists the interfaces whose methods are tools. */
  readonly serves: readonly RuntimeInterface[];
  /** Text for the role's row in the table of zones in THREATS.md. Services without this field share a row there. */
  readonly zone?: { readonly mayBeHostile: string; readonly holds: string };
}

/** A Node process takes 43 MiB (measured), of which 14 MiB are not shared; a static program takes 3 MiB. */
const NODE_MEMORY = { most: 128 * MIB, usual: 14 * MIB };
/**
 * Memory of a gate in bytes: it uses 15.5 MiB that are not shared (measured), the most of all programs. With a limit of
 * 14 MiB, a machine of sixty sessions spent its time rereading pages of memory.
 */
const GATE_MEMORY = { most: 128 * MIB, usual: 16 * MIB };
const CONSOLE_MEMORY = { most: 16 * MIB, usual: 4 * MIB };
const PACKAGE_MEMORY = { most: 64 * MIB, usual: 4 * MIB };

/** Path of the console in the root file system. */
export const CONSOLE_PATH = "/usr/bin/capos-console";

/** Roles in order of trust, the least trusted first. Tables in the documentation have this order. */
const TABLE = {
  model: {
    does: "answers with canned replies",
    kind: "backend",
    program: { runs: "node", entry: "engine/processes/model/main.ts" },
    restart: "soon", // a restart loses nothing
    memory: NODE_MEMORY,
    process: "model",
    holds: [],
    asksInit: [],
    handed: ["blob"],
    serves: ["LanguageModel", "Metering"],
    zone: {
      mayBeHostile: "yes: it reads any text",
      holds: "canned replies; the connections of its clients",
    },
  },
  "model-local": {
    does: "answers with weights on the machine's processors, or makes vectors of texts",
    kind: "backend",
    // `hasAddons`: the inference engine is native code, which Node loads from the verified root.
    program: { runs: "node", entry: "engine/processes/model/local/main.ts", hasAddons: true },
    restart: "soon",
    memory: NODE_MEMORY, // used if the page does not limit the memory of its weights
    process: "model",
    holds: [],
    asksInit: [],
    handed: ["blob", "states", "weights"],
    serves: ["LanguageModel", "Metering", "TextEmbedder"],
    zone: {
      mayBeHostile: "yes: its native code reads weights and text that others made",
      holds: "the weights, read-only; the connections of its clients",
    },
  },
  "model-remote": {
    does: "asks a remote provider for answers, through egress",
    kind: "backend",
    program: { runs: "node", entry: "engine/processes/model/remote/main.ts" },
    restart: "soon", // an answer under way is lost; its provider is not asked again
    memory: NODE_MEMORY,
    process: "model",
    holds: ["HttpExchange"],
    asksInit: [],
    handed: [],
    serves: ["LanguageModel", "Metering"],
    zone: {
      mayBeHostile: "yes: it reads what its provider sends",
      holds:
        "access to one address that the page names, through `egress`; the connections of its clients; no network, file or credential",
    },
  },
  loop: {
    does: "passes messages between person, model and gate",
    kind: "session",
    program: { runs: "node", entry: "engine/processes/loop/main.ts" },
    restart: "soon", // it reads the conversation from the store; the gate keeps the labels
    memory: NODE_MEMORY,
    process: "loop",
    holds: ["ConversationLog", "LanguageModel", "Terminal", "ToolProxy"],
    asksInit: [],
    handed: [],
    serves: [],
    zone: {
      mayBeHostile: "yes: it parses all untrusted text",
      holds: "connections to model, gate and console; access to the one conversation that its gate opened",
    },
  },
  egress: {
    does: "connects to servers in the network, and has the credentials",
    kind: "outside",
    program: { runs: "node", entry: "engine/processes/egress/main.ts" },
    restart: "soon", // requests under way fail with `closed`; none is repeated
    memory: NODE_MEMORY,
    process: "egress",
    holds: [],
    asksInit: [],
    handed: ["blob", "key"],
    hasNetwork: true,
    serves: ["HttpEndpoint", "HttpExchange", "SyslogExit"],
    zone: {
      mayBeHostile: "yes: it reads what strangers send",
      holds: "the network card, TLS, the list of servers that it may connect to",
    },
  },
  files: {
    does: "serves the files of a directory",
    kind: "service",
    program: { runs: "node", entry: "engine/processes/services/files/main.ts" },
    restart: "soon",
    memory: NODE_MEMORY,
    holds: [],
    asksInit: [],
    handed: ["directory"],
    serves: [],
  },
  logs: {
    does: "serves init's log",
    kind: "service",
    program: { runs: "node", entry: "engine/processes/services/logs/main.ts" },
    restart: "soon",
    memory: NODE_MEMORY,
    holds: ["Supervisor"],
    asksInit: ["readLog"],
    handed: [],
    serves: [],
  },
  services: {
    does: "lists services, and has init restart them",
    kind: "service",
    program: { runs: "node", entry: "engine/processes/services/services/main.ts" },
    restart: "soon",
    memory: NODE_MEMORY,
    holds: ["Supervisor"],
    asksInit: ["facts", "restart"],
    handed: [],
    serves: [],
  },
  status: {
    does: "serves facts about the machine",
    kind: "service",
    program: { runs: "node", entry: "engine/processes/services/status/main.ts" },
    restart: "soon",
    memory: NODE_MEMORY,
    holds: ["Supervisor"],
    asksInit: ["facts"],
    handed: [],
    serves: [],
  },
  own: {
    does: "runs a module of the page or of the library",
    kind: "service",
    program: { runs: "node", entry: "engine/processes/services/own/main.ts" },
    restart: "soon",
    memory: NODE_MEMORY,
    holds: ["PlanGate", "tools"],
    asksInit: [],
    handed: ["blob", "directory"],
    serves: [],
  },
  "own-native": {
    does: "is a static program of the page",
    kind: "service",
    program: { runs: "package" },
    restart: "soon",
    memory: PACKAGE_MEMORY,
    holds: [],
    asksInit: [],
    handed: ["directory"],
    serves: [],
  },
  conversations: {
    does: "keeps conversations on the data disk",
    kind: "runtime",
    program: { runs: "node", entry: "engine/processes/conversations/main.ts" },
    restart: "soon", // acknowledged data is on the disk; data in memory is lost, and loops report that
    memory: NODE_MEMORY,
    process: "conversations",
    holds: ["TextEmbedder"],
    asksInit: [],
    handed: ["directory"],
    serves: ["ConversationLog", "ConversationStore"],
    zone: {
      mayBeHostile: "its data may be: it stores untrusted text of all sessions, and executes none of this text",
      holds: "its own directory, and the embedder if the page names one",
    },
  },
  gate: {
    does: "decides each call of a session, and asks the person",
    kind: "session",
    program: { runs: "node", entry: "engine/processes/gate/main.ts" },
    restart: "never", // it holds the labels of its conversation, which a restart would reset
    memory: GATE_MEMORY,
    process: "gate",
    holds: ["Approval", "AuditLog", "Broker", "ConversationStore", "Metering", "Supervisor", "tools"],
    asksInit: ["restart"],
    handed: ["blob"],
    serves: ["PlanGate", "Session", "ToolProxy"],
    zone: {
      mayBeHostile: "no; it reads only frames of limited size",
      holds: "the tables, the connections to services, the right to ask the person, the right to revoke its own grants",
    },
  },
  broker: {
    does: "keeps quotas, approvals and logins",
    kind: "runtime",
    program: { runs: "node", entry: "engine/processes/broker/main.ts" },
    restart: "never", // most of its counters (all but those of days and principals) are in memory, and a restart would reset them
    memory: NODE_MEMORY,
    process: "broker",
    holds: ["AuditLog"],
    asksInit: [],
    handed: ["blob", "directory"],
    serves: ["Broker"],
    zone: {
      mayBeHostile: "no; it reads only frames of limited size",
      holds:
        "public keys of principals, counts of quotas, remembered approvals, recorded labels of conversations; its directory",
    },
  },
  audit: {
    does: "keeps the log",
    kind: "runtime",
    program: { runs: "node", entry: "engine/processes/audit/main.ts" },
    restart: "soon", // it verifies its log first; the outcome of calls under way stays unknown
    memory: NODE_MEMORY,
    process: "audit",
    holds: ["HttpEndpoint", "SyslogExit"],
    asksInit: [],
    handed: ["blob", "partition"],
    serves: ["AuditLog"],
    zone: { mayBeHostile: "no; it reads only frames of limited size", holds: "the partition of the log" },
  },
  console: {
    does: "draws the terminal, and asks people",
    kind: "session",
    program: { runs: "static", path: CONSOLE_PATH },
    restart: "never", // without it nobody can be asked; the machine stops with it
    memory: CONSOLE_MEMORY,
    process: "console",
    holds: ["Session", "Supervisor"],
    asksInit: ["facts", "readNotices", "restart", "stop"],
    handed: ["terminal"],
    serves: ["Approval", "Terminal"],
    zone: {
      mayBeHostile: "no",
      holds: "the terminal, the right to send commands to sessions, the right to end any process",
    },
  },
} as const satisfies Readonly<Record<string, RoleRow>>;

export type Role = keyof typeof TABLE;

export const ROLES: Readonly<Record<Role, RoleRow>> = TABLE;

/** Names of the roles, in the order of the table. */
export const ROLE_NAMES: readonly Role[] = Object.keys(TABLE).filter(isRole);

export function isRole(name: string): name is Role {
  return Object.hasOwn(TABLE, name);
}

/** Returns the roles of some kinds, in the order of the table. */
export function listRoles(...kinds: readonly RoleKind[]): readonly Role[] {
  return ROLE_NAMES.filter((role) => kinds.includes(ROLES[role].kind));
}

/** Names of other parts of an image, which also identify processes, grants or files. */
const OTHER_PARTS = ["init", "session", "supervisor", "terminal"];

/**
 * Names that services of a page must not have, because they belong to other processes or grants. Therefore every other
 * name of a gate's grant is the name of a service.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...ROLE_NAMES.flatMap((role) => ROLES[role].process ?? []),
  ...OTHER_PARTS,
]);
