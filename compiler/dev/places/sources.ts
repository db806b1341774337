// Compares the programs of roles and of the library with the tables of `engine/lib/roles`. Also finds sources that
// contain a second table of roles.

import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import {
  findLibraryProgram,
  IMPLEMENTATION_NAMES,
  IMPLEMENTATIONS,
  LIBRARY_SERVICES,
  listRoles,
  NODE_ROLES,
  ROLE_NAMES,
} from "../../../engine/lib/roles/index.ts";
import { NETWORK_INTERFACES } from "../../phases/bind/index.ts";
import { findSources } from "../structure/imports.ts";
import { compareNames, type Gap, readPlace } from "./gap.ts";

const PROCESSES = "engine/processes";
const TOOLS = "stdlib/tools.cap";

/**
 * Interfaces whose methods have categories in the library, but for which the image has no program. A page provides its
 * own program for them.
 */
const WITHOUT_PROVIDER = ["Processes"];

/** Returns the differences between the folders of processes and the table of roles. */
export function findProgramGaps(checkout: string): readonly Gap[] {
  const absent = NODE_ROLES.filter(({ entry }) => !existsSync(join(checkout, entry)));
  const entries = NODE_ROLES.map(({ entry }) => entry);
  const unknown = globSync(`${PROCESSES}/**/main.ts`, { cwd: checkout })
    .filter((path) => !entries.includes(path) && /\bcapset\b/i.test(readPlace(checkout, path)))
    .sort();
  return [
    ...absent.map(({ name, entry }) => ({ path: entry, what: `the program of \`${name}\` is not there` })),
    ...unknown.map((path) => ({ path, what: "takes grants of init, and is the program of no role in the table" })),
  ];
}

/** Returns the differences between the library, its programs and the table of services. */
export function findLibraryGaps(checkout: string): readonly Gap[] {
  const faces = Object.keys(LIBRARY_SERVICES);
  const classified = [...readPlace(checkout, TOOLS).matchAll(/^interface (\w+) \{/gm)].map(([, face = ""]) => face);
  const folder = "stdlib/services";
  const programs = globSync("*.js", { cwd: join(checkout, folder) });
  const expected = faces.flatMap((face) => findLibraryProgram(face) ?? []);
  const answering: readonly (string | undefined)[] = faces.map((face) => LIBRARY_SERVICES[face]?.by);
  const unused = IMPLEMENTATION_NAMES.filter(
    (name) => IMPLEMENTATIONS[name].program === "image" && !answering.includes(name),
  );
  const implemented = IMPLEMENTATION_NAMES.map((name) => IMPLEMENTATIONS[name].role);
  const idle = listRoles("service").filter((role) => !implemented.includes(role));
  const table = "engine/lib/roles/services.ts";
  const networked = faces.filter((face) => LIBRARY_SERVICES[face]?.by === "egress" && !NETWORK_INTERFACES.has(face));
  return [
    ...compareNames(TOOLS, "the library", classified, [...faces, ...WITHOUT_PROVIDER]),
    ...compareNames(folder, "the folder", programs, expected),
    ...unused.map((name) => ({ path: table, what: `no interface of the library is answered by \`${name}\`` })),
    ...idle.map((role) => ({ path: table, what: `no implementation runs in the role \`${role}\`` })),
    ...networked.map((face) => ({
      path: "compiler/phases/bind/services.ts",
      what: `NETWORK_INTERFACES lacks \`${face}\`, which egress answers for`,
    })),
  ];
}

/** Files that may name many roles, because they plan or prove grants between processes. */
const PLANS = [
  "engine/lib/roles/roles.ts",
  "engine/lib/roles/services.ts",
  "targets/contract/memory.ts",
  "targets/manifest/processes.ts",
  "targets/manifest/session.ts",
  "targets/manifest/structure.ts",
];

/** Maximum number of role names in a file before it counts as a list of roles. */
const MOST_NAMES = 4;

/**
 * Returns the sources of the product that name more than `MOST_NAMES` roles, because they are probably a second table
 * of roles.
 */
export function findSecondTables(checkout: string): readonly Gap[] {
  const names: ReadonlySet<string> = new Set(ROLE_NAMES);
  return findSources(checkout).flatMap((path) => {
    if (PLANS.includes(path) || isExempt(path)) return [];
    const quoted = [...readPlace(checkout, path).matchAll(/"([a-z-]+)"/g)].map(([, word = ""]) => word);
    const found = new Set(quoted.filter((word) => names.has(word)));
    if (found.size <= MOST_NAMES) return [];
    return [{ path, what: `lists roles (${[...found].sort().join(", ")}): derive them from engine/lib/roles` }];
  });
}

/**
 * Returns whether a file may contain names of roles. Tests may list expected roles. In generated files, in the sources
 * for training, and in programs for developers such as benchmarks, the same words are not roles.
 */
function isExempt(path: string): boolean {
  return (
    path.endsWith(".test.ts") || /\/(?:generated|testing|training)\//.test(path) || path.startsWith("compiler/dev/")
  );
}
