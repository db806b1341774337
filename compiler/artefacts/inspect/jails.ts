// Describes the permissions in the jails of an image's processes. The permissions are compiled into the init of the
// image. If inputs.lock contains the digest of this init, engine/image/jails has the sources of its permissions. About
// any other init, the description only states that its permissions are not known.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readLock } from "../../../engine/image/rootfs/inputs.ts";
import { PREBUILT } from "../../../engine/image/rootfs/prebuilt.ts";
import type { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { findFileInArchive } from "./cpio-reader.ts";
import { computeSha256, type Description, formatTable } from "./description.ts";
import { unpackInitrd } from "./trust.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** Permissions of a role, including those of all roles that it extends. */
interface Jail {
  readonly role: string;
  readonly calls: number;
  readonly places: readonly string[];
  readonly terminal: boolean;
  readonly directory: boolean;
}

export function describeJails(manifest: Manifest, initrd: Uint8Array | undefined): Description {
  const init = initrd === undefined ? undefined : findFileInArchive(unpackInitrd(initrd), "init");
  const locked = readLock(CHECKOUT).files.find(({ name }) => name === PREBUILT.init)?.sha256;
  if (init === undefined || computeSha256(init) !== locked)
    return createDescription(null, [
      "jails   those of another init than this capc has: what they allow is not known here",
    ]);
  const roles = [...new Set(manifest.processes.map(({ role }) => role))].sort();
  const jails = roles.flatMap((role) => readJail(role) ?? []);
  const rows = jails.map((jail) => [
    `  ${jail.role}`,
    `${jail.calls} system calls`,
    `${jail.terminal ? "the terminal" : "no terminal"}, ${jail.directory ? "a directory" : "no directory"}`,
    jail.places.join(" "),
  ]);
  return createDescription(jails, [
    "jails   as engine/image/jails has them, each with its reasons:",
    ...formatTable(rows),
  ]);
}

function createDescription(jails: readonly Jail[] | null, lines: readonly string[]): Description {
  return { kind: "jails", facts: { jails }, lines, faults: [] };
}

/**
 * Form of the files in engine/image/jails. These files are part of the project, and the build of init validates them.
 */
interface Written {
  readonly extends?: string;
  readonly calls?: readonly { readonly names: readonly string[] }[];
  readonly places?: readonly { readonly path: string; readonly may: readonly string[] }[];
  readonly terminal?: { readonly may: boolean };
  readonly directory?: { readonly may: boolean };
}

/**
 * Returns the permissions of the jail of a role, or `undefined` if that jail does not exist. The role comes from an
 * untrusted manifest. A role whose name contains other characters than small letters and hyphens has no jail, because
 * the name could be the path of another file.
 */
export function readJail(role: string): Jail | undefined {
  const chain = readJailChain(role);
  if (chain.length === 0) return undefined;
  const names = chain.flatMap(({ calls = [] }) => calls.flatMap((call) => call.names));
  const places = chain.flatMap(({ places: own = [] }) => own.map(({ path, may }) => `${path} (${may.join(", ")})`));
  return {
    role,
    calls: new Set(names).size,
    places: [...new Set(places)].sort(),
    terminal: chain.find(({ terminal }) => terminal !== undefined)?.terminal?.may === true,
    directory: chain.find(({ directory }) => directory !== undefined)?.directory?.may === true,
  };
}

/** Returns the role's own file, followed by the files of the roles that it extends. */
function readJailChain(name: string | undefined): readonly Written[] {
  if (name === undefined || !/^[a-z]+(?:-[a-z]+)*$/.test(name)) return [];
  const path = fileURLToPath(new URL(`../../../engine/image/jails/${name}.json`, import.meta.url));
  if (!existsSync(path)) return [];
  const written: Written = JSON.parse(readFileSync(path, "utf8"));
  return [written, ...readJailChain(written.extends)];
}
