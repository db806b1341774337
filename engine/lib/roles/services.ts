// Contains two tables. The first lists the implementations, which are the possible programs behind a service. The
// second lists the interfaces of the standard library with their implementations. `compiler/dev/places` compares pages,
// programs and schemas with both tables.

import type { Role } from "./roles.ts";

interface ImplementationRow {
  /** Role of the process that runs the service. */
  readonly role: Role;
  /** `each`: every service has its own process. `shared`: one process serves all services of this implementation. */
  readonly process: "each" | "shared";
  /** Origin of the program: it is part of every image, or is a module or a static program of the service. */
  readonly program: "image" | "module" | "static";
  /** First arguments of the program. */
  readonly words?: readonly string[];
  /** Whether the service has a directory for its data: `directory`: always. `some`: only if the page gives it `state`. */
  readonly keeps: "directory" | "nothing" | "some";
  /** Set if each client of the service has its own part of the directory. */
  readonly keepsForEach?: "holder";
  /** Texts for the generated documentation: the content that the service provides, and (`over`) its medium. */
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
    over: "the same, emptied at each start, with a directory for each holder",
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
    over: "init's facts, and its restarts (`Supervisor.facts`, `Supervisor.restart`)",
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

/** The implementation of an interface of the standard library, which is used if the page names no program. */
type LibraryService =
  | { readonly by: Exclude<Implementation, "own" | "own-native">; readonly state: State }
  | {
      readonly by: "own";
      /** Name of the program in `stdlib/services`. */
      readonly program: string;
      readonly state: State;
      /** Description of the stored data, for the generated documentation. */
      readonly keeps: string;
    };

/** Whether `state` on the page is required, optional or forbidden for the service. */
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
    keeps: "up to 10,000 entries of 4096 characters in one SQLite file; without `state` for as long as it runs",
  },
  PatchSets: {
    by: "own",
    program: "patchsets.js",
    state: "may",
    keeps: "up to 100 proposed changes of 64 KiB, likewise",
  },
  Scratch: { by: "scratch", state: "must" },
  Services: { by: "services", state: "none" },
  Status: { by: "status", state: "none" },
};

/** Returns the row of an interface, or `undefined` if a page has to name a program for it. */
export function findLibraryService(face: string): LibraryService | undefined {
  return Object.hasOwn(LIBRARY_SERVICES, face) ? LIBRARY_SERVICES[face] : undefined;
}

/** Returns the program in `stdlib/services` that serves an interface, or `undefined` if none does. */
export function findLibraryProgram(face: string): string | undefined {
  const row = findLibraryService(face);
  return row?.by === "own" ? row.program : undefined;
}
