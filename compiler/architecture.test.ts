// Checks the structure of this repository on every file. A room is a folder with a README. Rooms import only the rooms
// that `LAW` allows. Folders do not import each other in a cycle, and neither do files. Every export is imported by
// another file. Tests may import from anywhere, because no file imports a test.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findCycles } from "./dev/structure/cycles.ts";
import { EXEMPTIONS, findUnusedExports, readNames } from "./dev/structure/exports.ts";
import { countFunctions, selectNamedSources } from "./dev/structure/functions.ts";
import { findSources, type Import, readImports, TOP, testFinder } from "./dev/structure/imports.ts";
import { findRoom } from "./dev/structure/rooms.ts";
import { findModuleCycles, findRustSources, readRustModules } from "./dev/structure/rust.ts";
import {
  countSignatures,
  FLAG_EXEMPTIONS,
  isExempt,
  LONG_EXEMPTIONS,
  MOST_POSITIONAL,
  type SignatureExemption,
  TEXT_EXEMPTIONS,
} from "./dev/structure/signatures.ts";

const CHECKOUT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Import rules: a file whose path begins with `from` may import the files whose paths begin with an entry of `may`. If
 * several rules match a file, only the first one applies to it. A file may always import files of its own room.
 */
const LAW: readonly { readonly from: string; readonly may: readonly string[] }[] = [
  { from: "lang/", may: ["lang/"] },
  { from: "compiler/dev/setup/", may: [] },
  {
    from: "compiler/ci/",
    may: [
      "compiler/cli/memory-world.ts",
      "compiler/rules/index.ts",
      "compiler/host/git-error.ts",
      "engine/lib/result/",
    ],
  },
  {
    from: "compiler/host/",
    may: ["lang/", "targets/contract/", "targets/manifest/development-key.ts", "engine/lib/result/"],
  },
  // These files check whether the artefacts of a page would be too large, so they use code of the targets.
  {
    from: "compiler/phases/fit/",
    may: [
      "compiler/phases/",
      "lang/",
      "engine/lib/",
      "targets/contract/",
      "targets/manifest/",
      "targets/capos-native/",
    ],
  },
  { from: "compiler/phases/", may: ["compiler/phases/", "lang/", "engine/lib/", "targets/contract/"] },
  // A build validates secrets with the code of the egress process, because this process would refuse an invalid secret
  // when it starts.
  {
    from: "compiler/inputs/",
    may: ["compiler/phases/", "lang/", "engine/lib/", "targets/contract/", "engine/processes/egress/sealing.ts"],
  },
  // Advice reads canned replies with the code of the model's process, because this process would refuse malformed
  // replies when it starts.
  {
    from: "compiler/rules/",
    may: [
      "compiler/rules/",
      "compiler/phases/",
      "compiler/inputs/",
      "lang/",
      "engine/lib/",
      "targets/contract/",
      "engine/processes/model/replies.ts",
    ],
  },
  { from: "compiler/compile.ts", may: ["compiler/phases/", "compiler/inputs/", "compiler/rules/", "lang/"] },
  {
    from: "compiler/queries/",
    may: [
      "compiler/queries/",
      "compiler/compile.ts",
      "compiler/rules/",
      "compiler/phases/",
      "lang/",
      "engine/lib/",
      "targets/contract/",
      // The import of an upstream manifest compares this manifest with the manifest that the target writes for the
      // imported page.
      "targets/capos-native/",
      // `replay` counts quotas with the broker's code, and `diff` reads the gate's limits.
      "engine/processes/broker/",
      "engine/processes/gate/",
    ],
  },
  {
    from: "compiler/artefacts/",
    may: ["compiler/artefacts/", "compiler/host/", "compiler/phases/", "lang/", "targets/", "engine/"],
  },
  {
    from: "compiler/machine/",
    may: ["compiler/machine/", "compiler/artefacts/", "compiler/host/", "lang/", "targets/", "engine/"],
  },
  {
    from: "compiler/trial/",
    may: ["compiler/trial/", "compiler/artefacts/models/", "lang/", "targets/", "engine/"],
  },
  {
    from: "compiler/editors/",
    may: ["compiler/editors/", "compiler/queries/", "compiler/compile.ts", "compiler/phases/", "lang/", "engine/lib/"],
  },
  // The command line and the tools for developers may import every other room.
  { from: "compiler/cli/", may: ["compiler/", "lang/", "targets/", "engine/", "stdlib/"] },
  { from: "compiler/dev/", may: ["compiler/", "lang/", "targets/", "engine/"] },
  { from: "targets/", may: ["lang/diagnostics/", "lang/text/", "targets/contract/", "engine/lib/"] },
  { from: "engine/lib/result/", may: [] },
  { from: "engine/lib/wire/", may: ["engine/lib/result/"] },
  { from: "engine/lib/", may: ["engine/lib/result/", "engine/lib/wire/", "engine/lib/policy/"] },
  // A process may import the libraries, but no other process.
  { from: "engine/", may: ["engine/lib/"] },
];

/** Rooms from which only their own files, and files in the rooms of `RUNS_THEM`, may import. */
const OUTERMOST = ["compiler/ci/", "compiler/cli/", "compiler/dev/"];
const RUNS_THEM = ["compiler/ci/", "compiler/dev/"];

const FILES = findSources(CHECKOUT);
const IMPORTS = FILES.flatMap((path) => readImports(CHECKOUT, path));
const NAMES = readNames(CHECKOUT, FILES);
const isTest = testFinder(IMPORTS);
const OF_PRODUCT = IMPORTS.filter(({ from }) => !isTest(from));

/** Returns the path of a file's room with a slash at its end, or the path of the file if it is in no room. */
function roomOf(path: string): string {
  const room = findRoom(path);
  return room === path ? path : `${room}/`;
}

function breaks({ from, to }: Import): boolean {
  const law = LAW.find((entry) => from.startsWith(entry.from));
  const inLaw = to.startsWith(roomOf(from)) || law?.may.some((prefix) => to.startsWith(prefix)) === true;
  const inward =
    !RUNS_THEM.some((room) => from.startsWith(room)) &&
    OUTERMOST.some((room) => to.startsWith(room) && !from.startsWith(room));
  return !inLaw || inward;
}

const said = ({ from, to }: Import): string => `${from} imports ${to}`;

test("the source files and their imports are found", () => {
  expect(FILES).toContain("compiler/cli/main.ts");
  expect(IMPORTS).toContainEqual({ from: "compiler/cli/main.ts", to: "compiler/cli/dispatch.ts" });
  expect(IMPORTS.length).toBeGreaterThan(FILES.length / 2);
  expect(OF_PRODUCT.length).toBeGreaterThan(IMPORTS.length / 2);
});

test("every import names an existing file", () => {
  const known = new Set(globSync(`{${TOP.join(",")}}/**/*`, { cwd: CHECKOUT }));
  expect(IMPORTS.filter(({ to }) => !known.has(to)).map(said)).toEqual([]);
});

test("rooms import only from the rooms that the import rules allow", () => {
  expect(OF_PRODUCT.filter(breaks).map(said)).toEqual([]);
});

test("every import rule applies to at least one file", () => {
  const unused = LAW.filter((entry) => !FILES.some((path) => LAW.find(({ from }) => path.startsWith(from)) === entry));
  expect(unused).toEqual([]);
});

test("the import rules refuse known wrong imports", () => {
  const wrong: Import[] = [
    { from: "lang/text/span.ts", to: "compiler/phases/policy/lower.ts" },
    { from: "compiler/phases/bind/bind.ts", to: "compiler/rules/check.ts" },
    { from: "compiler/rules/check.ts", to: "targets/iso/write-iso.ts" },
    { from: "compiler/rules/check.ts", to: "engine/processes/gate/main.ts" },
    { from: "compiler/rules/check.ts", to: "compiler/cli/main.ts" },
    { from: "compiler/cli/main.ts", to: "compiler/dev/fixtures/facts.ts" },
    { from: "targets/iso/write-iso.ts", to: "targets/manifest/manifest.ts" },
    { from: "targets/iso/write-iso.ts", to: "lang/tree/tree.ts" },
    { from: "targets/manifest/manifest.ts", to: "compiler/phases/policy/lower.ts" },
    { from: "engine/processes/gate/gate.ts", to: "engine/processes/loop/loop.ts" },
    { from: "engine/lib/wire/reader.ts", to: "engine/lib/policy/decide.ts" },
  ];
  expect(wrong.filter((each) => !breaks(each)).map(said)).toEqual([]);
});

test.each([1, 2, 3])("folders of depth %i do not import each other in a cycle, not even types", (depth) => {
  expect(findCycles(OF_PRODUCT, depth).map(said)).toEqual([]);
});

test("no file imports itself through other files, not even types or in tests", () => {
  expect(findCycles(IMPORTS, Number.POSITIVE_INFINITY).map(said)).toEqual([]);
});

test("no Rust modules name each other in a cycle, at any depth", () => {
  const modules = findRustSources(CHECKOUT);
  const edges = readRustModules(CHECKOUT, modules);
  const init = "engine/image/init/src";
  expect(modules.length).toBeGreaterThan(100);
  expect(edges.length).toBeGreaterThan(modules.length * 2);
  expect(edges).toContainEqual({ from: `${init}/supervise/state`, to: `${init}/boot/verity` });
  expect(findModuleCycles(edges).map(({ from, to }) => `${from} names ${to}`)).toEqual([]);
});

test("every export is imported by another file", () => {
  expect(NAMES.exports.length).toBeGreaterThan(FILES.length);
  expect(findUnusedExports(NAMES).map(({ path, name }) => `${path} exports ${name}`)).toEqual([]);
});

test("every exemption covers an unused export", () => {
  const unneeded = EXEMPTIONS.filter(
    (exemption) =>
      findUnusedExports(
        NAMES,
        EXEMPTIONS.filter((each) => each !== exemption),
      ).length === 0,
  );
  expect(unneeded.map(({ files, names }) => `${files} ${names}`)).toEqual([]);
});

test("every room has a README of at most forty lines", () => {
  const rooms = new Set(FILES.map(roomOf).filter((room) => room.endsWith("/")));
  const wrong = [...rooms].filter((room) => {
    const path = join(CHECKOUT, room, "README.md");
    return !existsSync(path) || readFileSync(path, "utf8").trimEnd().split("\n").length > 40;
  });
  expect(rooms.size).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test("the names of nine out of ten functions begin with a verb", () => {
  const { functions, verbs } = countFunctions(CHECKOUT, selectNamedSources(FILES, isTest));
  expect(functions).toBeGreaterThan(5000);
  expect(verbs / functions).toBeGreaterThanOrEqual(0.9);
});

const SIGNATURES = countSignatures(CHECKOUT, selectNamedSources(FILES, isTest));

test("no function returns a value if it succeeds and a text if it fails", () => {
  const failures = SIGNATURES.texts.filter((each) => !isExempt(each, TEXT_EXEMPTIONS));
  expect(failures.map(({ path, name, returned }) => `${path} ${name} returns ${returned}`)).toEqual([]);
});

test("no function has more than four positional parameters", () => {
  expect(SIGNATURES.signatures).toBeGreaterThan(10_000);
  expect(MOST_POSITIONAL).toBe(4);
  const long = SIGNATURES.long.filter((each) => !isExempt(each, LONG_EXEMPTIONS));
  expect(long.map(({ path, name, parameters }) => `${path} ${name} has ${parameters.length}`)).toEqual([]);
});

test("no function takes a boolean flag", () => {
  const flags = SIGNATURES.flags.filter((each) => !isExempt(each, FLAG_EXEMPTIONS));
  expect(flags.map(({ path, name, flag }) => `${path} ${name} takes ${flag}`)).toEqual([]);
});

test("every exemption from the signature rules covers an existing signature", () => {
  const isUnused = (found: typeof SIGNATURES.long) => (one: SignatureExemption) =>
    !found.some((each) => isExempt(each, [one]));
  expect(LONG_EXEMPTIONS.filter(isUnused(SIGNATURES.long))).toEqual([]);
  expect(FLAG_EXEMPTIONS.filter(isUnused(SIGNATURES.flags))).toEqual([]);
});

test("no file has a name without meaning, such as utils or misc", () => {
  const empty = /^(utils?|helpers?|common|misc|internal|managers?|info|data|handlers?|process)$/;
  const named = FILES.flatMap((path) =>
    path
      .replace(/(\.test)?\.m?ts$/, "")
      .split("/")
      .map((word) => ({ path, word })),
  );
  expect(named.filter(({ word }) => empty.test(word)).map(({ path }) => path)).toEqual([]);
});

test("the top-level folder has only the listed files and folders", () => {
  const wanted = [
    ...TOP,
    "package.json",
    "package-lock.json",
    "README.md",
    "CONTRIBUTING.md",
    "GLOSSARY.md",
    "CHANGES.md",
    "LIMITS.md",
    "MAP.md",
    "THIRD-PARTY.md",
    "LICENSE",
    "Makefile",
  ];
  // GitHub requires `action.yml` in the top-level folder of an action.
  const asked = ["action.yml"];
  const settings = ["biome.json", "tsconfig.json", "vitest.config.ts"];
  const made = ["node_modules", "build"];
  const found = globSync("*", { cwd: CHECKOUT }).filter((name) => !made.includes(name));
  expect(found.filter((name) => ![...wanted, ...asked, ...settings].includes(name))).toEqual([]);
});
