// Paths of the roles' programs in the root file system.

import { ROLE_NAMES, ROLES, type Role } from "./roles.ts";

export const NODE_PATH = "/usr/bin/node";

/** A role whose program runs on Node; the program is bundled into one file of the root file system. */
export interface NodeRole {
  readonly name: string;
  /** Path of the program's source, relative to the checkout. */
  readonly entry: string;
}

/** Roles of programs on Node, in code-unit order of names. */
export const NODE_ROLES: readonly NodeRole[] = ROLE_NAMES.flatMap((name) => {
  const { program } = ROLES[name];
  return program.runs === "node" ? [{ name, entry: program.entry }] : [];
}).sort((one, other) => (one.name < other.name ? -1 : 1));

/** Returns the path of a role's bundled program. */
export function programPath(role: string): string {
  return `/capos/${role}.mjs`;
}

/** Returns whether only static programs run in the jail of a role: Node needs threads and libraries, which such a jail does not allow. */
export function isStatic(role: Role): boolean {
  return ROLES[role].program.runs !== "node";
}
