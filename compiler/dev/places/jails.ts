// Compares the jail files with the table of roles. Each role must have one jail file, which allows exactly the things
// that the row of the role grants.

import { globSync } from "node:fs";
import { basename } from "node:path";
import { type HandedResource, programPath, ROLE_NAMES, ROLES, type Role } from "../../../engine/lib/roles/index.ts";
import { compareNames, type Gap, readPlace } from "./gap.ts";

const FOLDER = "engine/image/jails";

/**
 * Permissions of a jail, each with a function. The jail of a role must have the permission exactly if the function
 * returns true, according to the role's row in the table of roles.
 */
const FLAGS: Readonly<Record<string, (role: Role) => boolean>> = {
  directory: (role) => isHanded(role, "directory"),
  key: (role) => isHanded(role, "key"),
  network: (role) => ROLES[role].hasNetwork === true,
  partition: (role) => isHanded(role, "partition"),
  terminal: (role) => isHanded(role, "terminal"),
  weights: (role) => isHanded(role, "states", "weights"),
};

interface JailFile {
  readonly role?: string;
  readonly extends?: string;
  readonly places?: readonly { readonly path: string; readonly may: readonly string[] }[];
  readonly [flag: string]: unknown;
}

/**
 * Returns the differences between the jail files and the table of roles. Reasons and system calls are left out,
 * because the build of init checks them.
 */
export function findJailGaps(checkout: string): readonly Gap[] {
  const files = globSync(`${FOLDER}/*.json`, { cwd: checkout }).map((path) => basename(path, ".json"));
  const ofRoles = files.filter((name) => readJail(checkout, name)?.role !== undefined);
  const listed = compareNames(FOLDER, "the folder of jails", ofRoles, ROLE_NAMES);
  return [...listed, ...ROLE_NAMES.filter((role) => ofRoles.includes(role)).flatMap((role) => judge(checkout, role))];
}

function judge(checkout: string, role: Role): readonly Gap[] {
  const path = `${FOLDER}/${role}.json`;
  const chain = readChain(checkout, role);
  if (chain[0]?.role !== role) return [{ path, what: `the jail is of the role \`${chain[0]?.role}\`` }];
  const wrong = Object.entries(FLAGS).filter(([flag, isMeant]) => mayIn(chain, flag) !== isMeant(role));
  const flags = wrong.map(([flag, isMeant]) => {
    return { path, what: `\`${flag}\` must be ${isMeant(role)}: the row of \`${role}\` says so` };
  });
  const own = ROLES[role].program.runs === "node" ? [programPath(role)] : [];
  const places = chain.flatMap(({ places = [] }) => places.map((place) => place.path));
  const programs = places.filter((place) => place.startsWith("/capos/") && place.endsWith(".mjs"));
  return [...flags, ...compareNames(path, "what it may read", programs, own)];
}

function isHanded(role: Role, ...files: readonly HandedResource[]): boolean {
  return files.some((file) => ROLES[role].handed.includes(file));
}

function mayIn(chain: readonly JailFile[], flag: string): boolean {
  const found = chain.find((file) => file[flag] !== undefined)?.[flag];
  return typeof found === "object" && found !== null && "may" in found && found.may === true;
}

/** Returns the jail file of a role, followed by the files that it extends. */
function readChain(checkout: string, name: string): readonly JailFile[] {
  const jail = readJail(checkout, name);
  if (jail === undefined) return [];
  return [jail, ...(jail.extends === undefined ? [] : readChain(checkout, jail.extends))];
}

function readJail(checkout: string, name: string): JailFile | undefined {
  const text = readPlace(checkout, `${FOLDER}/${name}.json`);
  return text === "" ? undefined : JSON.parse(text);
}
