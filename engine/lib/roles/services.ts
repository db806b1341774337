// Two tables: the implementations, which are the ways in which the image runs a provider, and the interfaces of the
// standard library with their implementations. `compiler/dev/places` compares pages, programs and schemas with both
// tables.

import type { Role } from "./roles.ts";

interface ImplementationRow {
  /** Role of the process that serves the service. */
  readonly role: Role;
  /** `shared`: one process of the role serves all services of that kind, and no process has the service's name. */
  readonly process: "each" | "shared";
  /** Kind of the program: part of the image's runtime, or a module or a static program of the service. */
  readonly program: "image" | "module" | "static";
  /** First arguments of the program; all other arguments follow them. */
  readonly words?: readonly string[];
  /** `directory`: the process always has a directory. `some`: the process has one if the line of the service on the page has `state`. */
  readonly keeps: "directory" | "nothing" | "some";
  /** Set if each holder of the service has its own part of the directory. */
  readonly keepsForEach?: "holder";
  /** Description for the page of the services: the content that the service serves, and where the content is stored. */
  readonly serves: string;
  readonly over: string;
}

const IMPLEMENTATION_TABLE = {
  egress: {
    role: "egress",
    process: "shared",
    program: "image",
    keeps: "nothing",
    serves: "`Fetch`, `HttpEndpoint`",
    over: "the network, at addresses that the page lists",
  },
  files: {
    role: "files",
    process: "each",
    program: "image",
    keeps: "directory",
    serves: "`Files`",
    over: "the directory of the data disk that was bound at `/data`",
  },
  scratch: {
    role: "files",
    process: "each",
    program: "image",
    words: ["--scratch"],
    keeps: "directory",
    keepsForEach: "holder",
    serves: "`Scratch`",
    over: "the directory of the data disk that was bound at `/data`, emptied at each start, with a directory for each holder",
  },
  logs: {
    role: "logs",
    process: "each",
    program: "image",
    keeps: "nothing",
    serves: "`Logs`",
    over: "init's log (`Supervisor.readLog`)",
  },
  own: {
    role: "own",
    process: "each",
    program: "module",
    keeps: "some",
    serves: "an interface of the package or the library",
    over: "the module that the page names, or that of `stdlib/services` if it names none",
  },
  "own-native": {
    role: "own-native",
    process: "each",
    program: "static",
    keeps: "some",
    serves: "an interface of the package",
    over: "nothing: the static program of the page serves it by itself (`engine/lib/wire/PROTOCOL.md`)",
  },
  services: {
    role: "services",
    process: "each",
    program: "image",
    keeps: "nothing",
    serves: "`Services`",
    over: "init: facts about processes, and restarts (`Supervisor.facts`, `Supervisor.restart`)",
  },
  status: {
    role: "status",
    process: "each",
    program: "image",
    keeps: "nothing",
    serves: "`Status`",
    over: "init's facts (`Supervisor.facts`)",
  },
} as const satisfies Readonly<Record<string, ImplementationRow>>;

export type Implementation = keyof typeof IMPLEMENTATION_TABLE;

export const IMPLEMENTATIONS: Readonly<Record<Implementation, ImplementationRow>> = IMPLEMENTATION_TABLE;

export const IMPLEMENTATION_NAMES: readonly Implementation[] =
  Object.keys(IMPLEMENTATION_TABLE).filter(isImplementation);

function isImplementation(name: string): name is Implementation {
  return Object.hasOwn(IMPLEMENTATION_TABLE, name);
}

/** An interface of the standard library, and its implementation if the page names no program. */
type LibraryService =
  | { readonly by: Exclude<Implementation, "own" | "own-native">; readonly state: State }
  | {
      readonly by: "own";
      /** Name of the program in `stdlib/services`. */
      readonly program: string;
      readonly state: State;
      /** Description of the data that the service stores, for the documentation of the library. */
      readonly keeps: string;
    };

/** Whether a service's line of the page must, may or must not have `state`. */
type State = "may" | "must" | "none";

/** Services of the library in code-unit order of names, the order in which messages name them. */
export const LIBRARY_SERVICES: Readonly<Record<string, LibraryService>> = {
  ActionPlans: { by: "own", program: "actionplans.js", state: "may", keeps: "nothing" },
  Calculator: { by: "own", program: "calculator.js", state: "none", keeps: "nothing" },
  Clock: { by: "own", program: "clock.js", state: "none", keeps: "nothing" },
  Echo: { by: "own", program: "echo.js", state: "none", keeps: "nothing" },
  Fetch: { by: "egress", state: "none" },
  Files: { by: "files", state: "must" },
  HttpEndpoint: { by: "egress", state: "none" },
  Logs: { by: "logs", state: "none" },
  Memory: {
    by: "own",
    program: "memory.js",
    state: "may",
    keeps: "up to 10,000 entries of 4096 characters in one SQLite file; without `state`, in memory only",
  },
  PatchSets: {
    by: "own",
    program: "patchsets.js",
    state: "may",
    keeps: "up to 100 proposed changes of 64 KiB in one SQLite file; without `state`, in memory only",
  },
  Scratch: { by: "scratch", state: "must" },
  Services: { by: "services", state: "none" },
  Status: { by: "status", state: "none" },
};

/**
 * Returns the entry of an interface in `LIBRARY_SERVICES`; `undefined` if a page has to name a program for the
 * interface.
 */
export function findLibraryService(face: string): LibraryService | undefined {
  return Object.hasOwn(LIBRARY_SERVICES, face) ? LIBRARY_SERVICES[face] : undefined;
}

/** Returns the program in `stdlib/services` that serves an interface, or `undefined` if none does. */
export function findLibraryProgram(face: string): string | undefined {
  const row = findLibraryService(face);
  return row?.by === "own" ? row.program : undefined;
}
