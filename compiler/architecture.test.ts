// The import law of the house, asked of every file. A room is a folder of two levels; the law says which rooms a room
// may import from. Tests may look anywhere: they are imported by nobody.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CHECKOUT = fileURLToPath(new URL("..", import.meta.url));
const TOP = ["lang", "stdlib", "compiler", "targets", "engine", "examples", "golden"];

/** Prefixes of paths that files below `from` may import. The first entry that fits a file is its law; its own room is always allowed. */
const LAW: readonly { readonly from: string; readonly may: readonly string[] }[] = [
  { from: "lang/", may: ["lang/"] },
  // The command line, and what runs it for tests, are the rooms that know every other.
  { from: "compiler/cli/", may: ["compiler/", "lang/", "targets/", "engine/", "stdlib/"] },
  // Goldens say what all of it makes of an example.
  { from: "golden/", may: ["golden/", "compiler/", "lang/", "targets/", "engine/"] },
  // Programs are measured with the flags of Node that an image starts them with.
  { from: "compiler/bench/", may: ["compiler/", "engine/", "lang/", "targets/manifest/"] },
  // Takes images apart, as `capc inspect` does.
  {
    from: "compiler/trial/flips/",
    may: [
      "compiler/trial/",
      "compiler/cli/inspect/",
      "compiler/cli/files.ts",
      "targets/",
      "engine/init/toolchain.ts",
      "engine/wire/",
      "engine/uefi/",
    ],
  },
  // Make images that no page alone makes.
  { from: "compiler/trial/images/", may: ["compiler/", "targets/", "engine/rootfs/", "engine/wire/"] },
  // An agent that was taken over speaks as the loop does, and lies in an image in its place.
  {
    from: "compiler/trial/attacked/",
    may: ["compiler/", "targets/", "engine/rootfs/", "engine/wire/", "engine/loop/history.ts"],
  },
  {
    from: "compiler/trial/hostile/",
    may: ["compiler/", "targets/manifest/", "engine/rootfs/", "engine/wire/", "engine/weights/testing/"],
  },
  // Plays an example as a rehearsal does, with one process of its image.
  {
    from: "compiler/trial/jailed/",
    may: [
      "compiler/trial/",
      "compiler/cli/chat/",
      "compiler/cli/files.ts",
      "engine/init/toolchain.ts",
      "engine/rehearsal/",
      "engine/wire/",
    ],
  },
  {
    from: "compiler/trial/power/",
    may: ["compiler/trial/", "compiler/cli/disk/", "compiler/cli/machine/", "engine/audit/"],
  },
  // Talks with a machine by its keys and its screen, which no command of capc does.
  {
    from: "compiler/trial/screen/",
    may: ["compiler/trial/", "compiler/cli/machine/", "compiler/cli/state-folder.ts"],
  },
  {
    from: "compiler/trial/limine/",
    may: ["compiler/trial/", "compiler/boot/", "compiler/policy/", "compiler/cli/machine/"],
  },
  {
    from: "compiler/trial/hang/",
    may: [
      "compiler/trial/",
      "compiler/cli/chat/",
      "compiler/cli/inspect/",
      "compiler/cli/machine/",
      "compiler/cli/files.ts",
      "compiler/cli/state-folder.ts",
    ],
  },
  {
    from: "compiler/trial/",
    may: [
      "compiler/cli/machine/cpu-time.ts",
      "compiler/cli/machine/accelerator.ts",
      "compiler/cli/machine/qemu.ts",
      "engine/init/toolchain.ts",
    ],
  },
  { from: "compiler/setup/", may: [] },
  { from: "compiler/action/", may: ["compiler/cli/memory-world.ts"] },
  { from: "compiler/pack/", may: ["compiler/cli/diagnostic-pages.ts"] },
  // What the process with the network would refuse at its start is not built.
  { from: "compiler/secrets/", may: ["compiler/", "lang/", "engine/wire/", "engine/egress/sealing.ts"] },
  // Quotas are counted by the broker's own books, and what a gate bounds is bounded by its own numbers.
  {
    from: "compiler/replay/",
    may: ["compiler/", "lang/", "engine/policy/", "engine/wire/", "engine/broker/", "engine/gate/turn.ts"],
  },
  // What a page does not bound the gate does, and a page's bound is more or less than that.
  { from: "compiler/diff/", may: ["compiler/", "lang/", "engine/policy/", "engine/wire/", "engine/gate/result.ts"] },
  // What upstream's manifest says is held against what the target writes of the page.
  {
    from: "compiler/import/upstream/",
    may: ["compiler/", "lang/", "engine/policy/", "engine/wire/", "targets/capos-native/"],
  },
  // Measures what targets make of a policy.
  {
    from: "compiler/fit/",
    may: [
      "compiler/",
      "lang/",
      "engine/policy/",
      "engine/wire/",
      "targets/manifest/",
      "targets/capos-native/",
      "targets/contract.ts",
    ],
  },
  { from: "compiler/", may: ["compiler/", "lang/", "engine/policy/", "engine/weights/", "engine/wire/"] },
  {
    from: "targets/",
    may: ["compiler/policy/", "lang/diagnostics/", "lang/text/", "targets/contract.ts", "engine/wire/"],
  },
  // Plays whole examples for tests and the trial: it knows every room, and no other knows it.
  { from: "engine/rehearsal/", may: ["engine/", "compiler/", "targets/", "golden/"] },
  { from: "engine/wire/", may: [] },
  { from: "engine/policy/", may: ["engine/wire/"] },
  { from: "engine/", may: ["engine/wire/", "engine/policy/", "engine/weights/", "engine/context/"] },
];

/** Rooms that nobody imports but those that run them for people. */
const OUTERMOST = [
  "compiler/action/",
  "compiler/bench/",
  "compiler/cli/",
  "compiler/pack/",
  "compiler/playground/",
  "compiler/setup/",
  "compiler/trial/",
  "engine/rehearsal/",
];
const RUNS_THEM = ["compiler/action/", "compiler/bench/", "compiler/trial/", "compiler/pack/", "golden/"];

interface Import {
  readonly from: string;
  readonly to: string;
}

const FILES = globSync(`{${TOP.join(",")}}/**/*.{ts,mjs}`, { cwd: CHECKOUT })
  .filter((path) => !path.includes("node_modules/") && !path.endsWith(".d.ts"))
  .sort();

// Import and export declarations with a path, types as well, and import() of a literal path.
const DECLARED = /^(?:import|export)\b[^;"'`=]*?\bfrom\s*["'](\.[^"']*)["']/gm;
const BARE = /^import\s*["'](\.[^"']*)["']/gm;
const DYNAMIC = /\bimport\(\s*["'](\.[^"']*)["']\s*\)/g;

function importsOf(path: string): Import[] {
  const text = readFileSync(join(CHECKOUT, path), "utf8");
  return [DECLARED, BARE, DYNAMIC]
    .flatMap((form) => [...text.matchAll(form)])
    .map(([, to = ""]) => ({
      from: path,
      to: relative(CHECKOUT, join(CHECKOUT, dirname(path), to)),
    }));
}

const IMPORTS = FILES.flatMap(importsOf);

/** A test, or what only tests import, through others as well; imports that go in a circle lead to no test. */
function isTest(path: string, asked: readonly string[] = []): boolean {
  if (path.endsWith(".test.ts")) return true;
  const importers = IMPORTS.filter(({ to }) => to === path);
  return importers.length > 0 && importers.every(({ from }) => !asked.includes(from) && isTest(from, [...asked, path]));
}

function roomOf(path: string): string {
  const [first, second, third] = path.split("/");
  return third === undefined ? `${first}/${second}` : `${first}/${second}/`;
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

test("there are files to hold to the law, and their imports are found", () => {
  expect(FILES).toContain("compiler/cli/main.ts");
  expect(IMPORTS).toContainEqual({ from: "compiler/cli/main.ts", to: "compiler/cli/dispatch.ts" });
  expect(IMPORTS.length).toBeGreaterThan(FILES.length / 2);
});

test("every import names a file that is there", () => {
  const known = new Set(globSync(`{${TOP.join(",")}}/**/*`, { cwd: CHECKOUT }));
  expect(IMPORTS.filter(({ to }) => !known.has(to)).map(said)).toEqual([]);
});

test("rooms import only from where the law lets them", () => {
  expect(
    IMPORTS.filter(({ from }) => !isTest(from))
      .filter(breaks)
      .map(said),
  ).toEqual([]);
});

test("the law refuses what it is there to refuse", () => {
  const wrong: Import[] = [
    { from: "lang/text/span.ts", to: "compiler/policy/policy.ts" },
    { from: "compiler/check/check.ts", to: "targets/iso/iso.ts" },
    { from: "compiler/check/check.ts", to: "engine/gate/main.ts" },
    { from: "compiler/check/check.ts", to: "compiler/cli/main.ts" },
    { from: "targets/iso/iso.ts", to: "targets/manifest/manifest.ts" },
    { from: "targets/iso/iso.ts", to: "lang/tree/tree.ts" },
    { from: "engine/gate/gate.ts", to: "engine/loop/loop.ts" },
    { from: "engine/wire/reader.ts", to: "engine/policy/decide.ts" },
  ];
  expect(wrong.filter((each) => !breaks(each)).map(said)).toEqual([]);
});

/** Files of one cycle, or nothing: what can be taken away because nothing that is left imports it is in none. */
function cycle(imports: readonly Import[]): readonly string[] {
  let left = imports;
  for (;;) {
    const imported = new Set(left.map(({ to }) => to));
    const importing = new Set(left.map(({ from }) => from));
    const next = left.filter(({ from, to }) => imported.has(from) && importing.has(to));
    if (next.length === left.length) return [...new Set(left.map(said))];
    left = next;
  }
}

test("no file imports itself through others, types included", () => {
  expect(cycle(IMPORTS)).toEqual([]);
});

test("a cycle is found where there is one", () => {
  const [a, b, c] = ["a.ts", "b.ts", "c.ts"];
  const ring = [
    { from: "x.ts", to: "a.ts" },
    { from: "a.ts", to: "b.ts" },
    { from: "b.ts", to: "c.ts" },
    { from: "c.ts", to: "a.ts" },
  ];
  expect(cycle(ring)).toEqual([`${a} imports ${b}`, `${b} imports ${c}`, `${c} imports ${a}`]);
});

test("every room says in a README of at most forty lines what it is", () => {
  const rooms = new Set(FILES.filter((path) => path.split("/").length > 2).map(roomOf));
  const wrong = [...rooms].filter((room) => {
    const path = join(CHECKOUT, room, "README.md");
    return !existsSync(path) || readFileSync(path, "utf8").trimEnd().split("\n").length > 40;
  });
  expect(rooms.size).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test("no file is named after nothing", () => {
  const empty = /^(utils?|helpers?|common|misc|internal|managers?|info|data|handlers?|process)$/;
  const named = FILES.flatMap((path) =>
    path
      .replace(/(\.test)?\.m?ts$/, "")
      .split("/")
      .map((word) => ({ path, word })),
  );
  expect(named.filter(({ word }) => empty.test(word)).map(({ path }) => path)).toEqual([]);
});

test("the top-level folder holds what architecture says, and nothing that came in by accident", () => {
  const wanted = [...TOP, "package.json", "package-lock.json", "README.md", "CHANGES.md", "LICENSE", "Makefile"];
  // Where GitHub looks for an action.
  const asked = ["action.yml"];
  const settings = ["biome.json", "tsconfig.json", "vitest.config.ts"];
  const made = ["node_modules", "build"];
  const found = globSync("*", { cwd: CHECKOUT }).filter((name) => !made.includes(name));
  expect(found.filter((name) => ![...wanted, ...asked, ...settings].includes(name))).toEqual([]);
});
