// Tests the package as npm would install it: below node_modules, with its dependencies beside it, in a folder without
// access to the checkout.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listPackedFiles } from "./contents.ts";
import { makePackage } from "./package.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-pack-"));
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(CHECKOUT, "node_modules")).filter((each) => !each.startsWith(".")))
    symlinkSync(join(CHECKOUT, "node_modules", name), join(folder, "node_modules", name));
  await makePackage(CHECKOUT, join(folder, "node_modules/capc"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(launcher: string, words: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
  });
  return { status, stdout, stderr };
}

const packed = (...words: string[]) => run(join(folder, "node_modules/capc/compiler/cli/capc.mjs"), words);
/** Runs the sources of the checkout, not its bundle. */
const written = (...words: string[]) => run(join(CHECKOUT, "compiler/cli/main.ts"), words);

test("the package creates a project of the kind web-search, which passes its check", () => {
  expect(packed("init", "web", "--kind", "web-search")).toMatchObject({ status: 0 });
  for (const words of [["check"], ["lint"], ["fmt", "--check"]])
    expect(packed(...words, "web/system.cap")).toEqual({ status: 0, stdout: "", stderr: "" });
  const script = ["--script", "web/talk.chat", "--web", "web/web"];
  expect(packed("try", "web/system.cap", ...script)).toMatchObject({ status: 0 });
});

test("the package creates, checks and builds a project, with the same bytes as the checkout", () => {
  expect(packed("init", "lab")).toMatchObject({
    status: 0,
    stderr: "\nNext: cd lab, then `make try` or `make check`.\n",
  });
  for (const words of [["check"], ["lint"], ["fmt", "--check"]])
    expect(packed(...words, "lab/system.cap")).toEqual({ status: 0, stdout: "", stderr: "" });
  const [one, other] = [packed, written].map((capc, index) =>
    capc("build", "lab/system.cap", "--emit", "tables", "--out", `out${index}`),
  );
  expect([one?.status, one?.stderr, other?.status]).toEqual([0, "", 0]);
  expect(readFileSync(join(folder, "out0/policy/tables.bin"))).toEqual(
    readFileSync(join(folder, "out1/policy/tables.bin")),
  );
});

test.each([
  [["--version"]],
  [["--help"]],
  [["explain"]],
  [["explain", "rule-shadowed"]],
  [["schema", "page"]],
  [["doc", "std"]],
  [["completions", "fish"]],
  [["export", "lab/system.cap"]],
  [["lint", "lab/system.cap", "--format", "sarif"]],
  [["why", "lab/system.cap", "operator notes.delete"]],
  [["check", "nothing.cap"]],
  [["chek"]],
])("capc %s prints the same from the package as from the checkout", (words) => {
  expect(packed(...words)).toEqual(written(...words));
});

test("the package compiles imported schemas, and checks a page's own program", () => {
  cpSync(join(CHECKOUT, "examples/capnp-tools"), join(folder, "tools"), { recursive: true });
  expect(packed("check", "tools/system.cap")).toEqual(written("check", "tools/system.cap"));
  expect(packed("check", "tools/system.cap")).toMatchObject({ status: 0 });
});

test("programs that the command line starts are bundled, since Node does not run TypeScript below node_modules", () => {
  const dist = join(folder, "node_modules/capc/dist");
  const texts = readdirSync(dist).map((name) => readFileSync(join(dist, name), "utf8"));
  const started = texts.flatMap((text) => [...text.matchAll(/new URL\(bundledUrl\("([^"]+)"\)/g)]);
  const wanted = ["names.js", "prefilling.js", "reader.js", "schema-worker.js", "syslog.js", "web.js"];
  expect([...new Set(started.map(([, name]) => name))].sort()).toEqual(wanted);
  const input = "GET /page.txt HTTP/1.1\r\nHost: x\r\n\r\n";
  writeFileSync(join(folder, "page.txt"), "all is well\n");
  const words = [join(dist, "web.js"), folder];
  const { stdout, stderr } = spawnSync(process.execPath, words, { input, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nall is well\n/s);
});

test("the bundled log collector and name server respond", () => {
  const dist = join(folder, "node_modules/capc/dist");
  const [log, network] = [join(folder, "syslog.log"), join(folder, "network")];
  const answers = (name: string, file: string, input: Uint8Array) =>
    spawnSync(process.execPath, [join(dist, name), file], { input });
  expect(answers("syslog.js", log, Buffer.from("5 hello")).stderr.toString()).toBe("");
  expect(readFileSync(log, "utf8")).toBe("hello\n");
  writeFileSync(network, "name a.example 11.0.0.80\n");
  const header = [0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  const question = Buffer.from([...header, 1, 97, 7, ...Buffer.from("example"), 0, 0, 1, 0, 1]);
  const { stdout } = answers("names.js", network, Buffer.concat([Buffer.from([0, question.length]), question]));
  expect([...stdout.subarray(-4)]).toEqual([11, 0, 0, 80]);
});

test("the command of the container recipe starts the packed capc under the Node of the package", () => {
  const recipe = readFileSync(join(CHECKOUT, "compiler/dev/pack/Containerfile"), "utf8");
  const programOf = (name: string): string[] => JSON.parse(new RegExp(`^${name} (.*)$`, "m").exec(recipe)?.[1] ?? "");
  const place = join(folder, "opt/capc");
  mkdirSync(place, { recursive: true });
  for (const name of readdirSync(join(folder, "node_modules/capc")))
    symlinkSync(join(folder, "node_modules/capc", name), join(place, name));
  symlinkSync(join(folder, "node_modules"), join(place, "node_modules"));
  const [program = "", ...words] = programOf("ENTRYPOINT").map((word) => join(folder, word));
  const env = { HOME: folder };
  const { status, stdout } = spawnSync(program, [...words, ...programOf("CMD")], { encoding: "utf8", env });
  expect({ status, stdout }).toEqual({ status: 0, stdout: packed("--help").stdout });
});

test("the package includes the image writer with its licence and sources, and this writer writes an image", () => {
  const writer = "targets/xorriso-wasm";
  const files = listPackedFiles(CHECKOUT).filter((path) => path.startsWith(`${writer}/`));
  const sources = ["LICENSE", "sources.json", "build.ts", "making/compile.ts", "patches/1-libburn-writer.patch"];
  expect(files).toEqual(expect.arrayContaining(sources.map((name) => `${writer}/${name}`)));
  const words = ["-no_rc", "-as", "mkisofs", "-quiet", "-V", "PACKED", "-o", "packed.iso", "lab"];
  expect(run(join(folder, "node_modules/capc", writer, "xorriso-program.mjs"), words)).toMatchObject({ status: 0 });
  expect(readFileSync(join(folder, "packed.iso")).toString("latin1", 32_808, 32_814)).toBe("PACKED");
});

test("the package has the inputs of an image and no tests or goldens", () => {
  const files = listPackedFiles(CHECKOUT);
  expect(files.filter((path) => /test|fixture|golden/.test(path))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(["engine/processes/gate/main.ts", "engine/image/rootfs/inputs.lock", "stdlib/tools.cap"]),
  );
  // The folder build/ is left out: the launcher stores compiled programs there.
  const there = readdirSync(join(folder, "node_modules/capc")).filter((name) => name !== "build");
  expect(there.sort()).toEqual(["LICENSE", "compiler", "dist", "engine", "package.json", "stdlib", "targets"]);
});
