// Lists the third-party crates that are linked into capos-init and capos-console, and their licences: `crates.json` for the list of
// an image's parts, `capos-init.txt` to be distributed with the programs.
//
//   node engine/image/init/crates.ts           compares both with the output of cargo
//   node engine/image/init/crates.ts --write   writes them
//
// Exits with 0, or with 1 and the reason.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { runCargo } from "./toolchain.ts";

const CRATE = fileURLToPath(new URL(".", import.meta.url));
const LICENCES = fileURLToPath(new URL("../../prebuilt/licences", import.meta.url));
const [LIST, TERMS] = [join(LICENCES, "crates.json"), join(LICENCES, "capos-init.txt")];

/** Fields of the output of `cargo metadata` that this module reads. */
export interface CargoMetadata {
  readonly packages: readonly {
    readonly id: string;
    readonly name: string;
    readonly version: string;
    readonly license: string | null;
    readonly manifest_path: string;
    readonly targets: readonly { readonly kind: readonly string[] }[];
  }[];
  readonly resolve: {
    readonly root: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly deps: readonly {
        readonly pkg: string;
        readonly dep_kinds: readonly { readonly kind: string | null }[];
      }[];
    }[];
  };
}

interface Crate {
  readonly name: string;
  readonly version: string;
  /** Licence as an SPDX expression. */
  readonly licence: string;
  /** Path of the folder with the crate's source on this machine. */
  readonly folder: string;
}

/** Returns the crates that are linked into the programs, without the crates that only the build needs. */
export function findLinkedCrates({ packages, resolve }: CargoMetadata): readonly Crate[] {
  const found = new Map<string, Crate>();
  const wanted = [resolve.root];
  for (const id of wanted) {
    const one = packages.find((each) => each.id === id);
    const isMacro = one?.targets.some(({ kind }) => kind.includes("proc-macro")) ?? true;
    if (one === undefined || isMacro || found.has(id)) continue;
    // In an older form of SPDX expressions, which cargo still accepts, `/` means `OR`.
    const licence = (one.license ?? "NOASSERTION").replaceAll("/", " OR ");
    found.set(id, { name: one.name, version: one.version, licence, folder: dirname(one.manifest_path) });
    const needs = resolve.nodes.find((node) => node.id === id)?.deps ?? [];
    wanted.push(...needs.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null)).map(({ pkg }) => pkg));
  }
  found.delete(resolve.root);
  return [...found.values()].toSorted((a, b) => (formatCrateKey(a) < formatCrateKey(b) ? -1 : 1));
}

const formatCrateKey = ({ name, version }: Pick<Crate, "name" | "version">): string => `${name} ${version}`;

/** Returns the SHA-256 of each crate's archive from Cargo.lock, by name and version. */
export function parseChecksums(lock: string): ReadonlyMap<string, string> {
  const entries = lock.matchAll(
    /name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"/g,
  );
  return new Map([...entries].map(([, name, version, checksum = ""]) => [`${name} ${version}`, checksum]));
}

/** Patterns of licence files, the preferred one first: MIT is taken if a crate offers a choice of two licences. */
const PREFERRED = [/^LICEN[CS]E-MIT/i, /^LICEN[CS]E/i, /^COPYING/i, /^UNLICENSE/i];

/**
 * Returns the licence texts that must be distributed with a crate: the preferred licence, and every text about Unicode
 * or third parties.
 */
function readLicenceTexts(folder: string): string {
  const names = readdirSync(folder).sort();
  const [first = /^$/] = PREFERRED.filter((pattern) => names.some((name) => pattern.test(name)));
  const chosen = names.filter((name) => first.test(name) || /UNICODE|THIRD.?PARTY/i.test(name));
  return chosen.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
}

function renderLists(
  crates: readonly Crate[],
  checksums: ReadonlyMap<string, string>,
): { list: string; terms: string } {
  const list = crates.map(({ folder: _, ...crate }) => ({
    ...crate,
    sha256: checksums.get(formatCrateKey(crate)),
  }));
  const byTerms = new Map<string, string[]>();
  for (const crate of crates) {
    const terms = readLicenceTexts(crate.folder);
    byTerms.set(terms, [...(byTerms.get(terms) ?? []), `${formatCrateKey(crate)}: ${crate.licence}`]);
  }
  const pieces = [...byTerms].map(([terms, names]) => `${names.join("\n")}\n\n${terms}\n`);
  const head = "capos-init and capos-console are MIT, and are linked with these crates, each under its own terms.\n";
  return { list: `${JSON.stringify(list, undefined, 2)}\n`, terms: [head, ...pieces].join(`\n${"-".repeat(79)}\n\n`) };
}

const FOR = "x86_64-unknown-linux-gnu";

function callCargo(words: readonly string[]): string | undefined {
  const said = runCargo(words, { cwd: CRATE });
  return said.status === 0 ? said.stdout : undefined;
}

/**
 * Returns the list of the crates that are linked in, and their licence texts. Fails if cargo does not list the crates.
 */
function renderCurrentLists(): Result<{ list: string; terms: string }> {
  const metadata = callCargo(["metadata", "--locked", "--format-version", "1", "--filter-platform", FOR]);
  // Metadata includes optional crates that are not enabled. The output of `cargo tree` omits these crates, but does not
  // contain folders, so both outputs are read.
  const tree = callCargo(["tree", "--locked", "--target", FOR, "-e", "normal", "--prefix", "none", "-f", "{p}"]);
  if (metadata === undefined || tree === undefined) return refuse("cargo does not say which crates there are");
  const used = new Set([...tree.matchAll(/^(\S+) v(\S+)/gm)].map(([, name, version]) => `${name} ${version}`));
  const crates = findLinkedCrates(JSON.parse(metadata)).filter((crate) => used.has(formatCrateKey(crate)));
  return accept(renderLists(crates, parseChecksums(readFileSync(join(CRATE, "Cargo.lock"), "utf8"))));
}

/** Returns the difference between the distributed lists and the linked crates, or `undefined` if there is none. */
export function checkCrateLists(): string | undefined {
  const now = renderCurrentLists();
  if (!now.ok) return now.reason;
  const { list, terms } = now.value;
  const isSame = readFileSync(LIST, "utf8") === list && readFileSync(TERMS, "utf8") === terms;
  return isSame
    ? undefined
    : "other crates are linked in than engine/prebuilt/licences says; run engine/image/init/crates.ts --write";
}

function main(): number {
  const now = renderCurrentLists();
  if (now.ok && process.argv.includes("--write")) {
    writeFileSync(LIST, now.value.list);
    writeFileSync(TERMS, now.value.terms);
    return 0;
  }
  const wrong = now.ok ? checkCrateLists() : now.reason;
  if (wrong !== undefined) process.stderr.write(`${wrong}\n`);
  return wrong === undefined ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
