import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createUpstreamManifest, encodeUpstreamManifest } from "../../../targets/capos-native/index.ts";
import { compile } from "../../compile.ts";
import { ALICE } from "../../dev/fixtures/facts.ts";
import { compileExample, encodeTables } from "../../dev/golden/golden.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { runCommand } from "../memory-world.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "capc-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(words, { folder });

test.each(["examples/first-agent/system.cap", "lang/spec/whole-page.cap"])(
  "%s is exported to YAML, imported as a formatted page, and exported to the same YAML again",
  async (path) => {
    const yaml = await say("export", join(CHECKOUT, path));
    writeFileSync(join(folder, "page.yaml"), yaml.out);
    const page = await say("import", "page.yaml");
    expect(page).toMatchObject({ status: 0, err: "" });
    writeFileSync(join(folder, "page.cap"), page.out);
    expect((await say("export", "page.cap")).out).toBe(yaml.out);
    expect(await say("fmt", "--check", "page.cap")).toEqual({ status: 0, out: "", err: "" });
  },
);

test("the policy is the same after the round trip, except for the positions of its lines", async () => {
  const before = readFileSync(join(CHECKOUT, "examples/first-agent/system.cap"), "utf8");
  writeFileSync(
    join(folder, "page.json"),
    (await say("export", join(CHECKOUT, "examples/first-agent/system.cap"), "--json")).out,
  );
  const after = (await say("import", "page.json")).out;
  const tablesOf = async (text: string) => {
    const host = createMemoryHost({ "/system.cap": text, "/replies.json": "[]", "/keys/alice.pub": ALICE });
    const { policy, diagnostics } = await compile(host, "/system.cap");
    expect(diagnostics).toEqual([]);
    const tables = policy?.tables;
    for (const { place } of tables?.rules ?? []) expect(place).toMatch(/^(system|std\/\w+)\.cap:\d+:\d+$/);
    return { ...tables, rules: tables?.rules.map(({ id, words }) => ({ id, words })) };
  };
  expect(await tablesOf(after)).toEqual(await tablesOf(before));
  writeFileSync(join(folder, "before.cap"), before);
  writeFileSync(join(folder, "after.cap"), after);
  mkdirSync(join(folder, "keys"), { recursive: true });
  writeFileSync(join(folder, "keys/alice.pub"), ALICE);
  writeFileSync(join(folder, "replies.json"), "[]");
  const compared = JSON.parse((await say("diff", "before.cap", "after.cap", "--json")).out);
  expect(compared.changes).toEqual([]);
});

test("import reports all errors of a YAML page at once, with a line number", async () => {
  cpSync(join(folder, "page.yaml"), join(folder, "wrong.yaml"));
  const wrong = readFileSync(join(folder, "wrong.yaml"), "utf8").replace("kind: backend", "kind: bakend");
  writeFileSync(join(folder, "wrong.yaml"), wrong.replace("version:", "versoin:"));
  const { status, out, err } = await say("import", "wrong.yaml");
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("did you mean backend?");
  expect(err).toContain("did you mean version?");
  expect(err).toMatch(/wrong\.yaml:\d+:/);
});

test("refuses a name that no page can contain, and never changes it", async () => {
  const text = "form: capc-page-1\nitems:\n  - kind: category\n    name: auto\n    parent: readOnly\n";
  writeFileSync(join(folder, "reserved.yaml"), text);
  const { status, out } = await say("import", "reserved.yaml");
  expect({ status, out }).toEqual({ status: 1, out: "" });
});

test("distinguishes a file that cannot be read from a file that is not text", async () => {
  writeFileSync(join(folder, "bytes.yaml"), Uint8Array.of(0xff));
  expect(await say("import", "bytes.yaml")).toMatchObject({ status: 1, err: expect.stringContaining("not-utf8") });
  expect(await say("import", "none.yaml")).toMatchObject({ status: 3, out: "" });
});

test("settings of Claude Code become a page that compiles, with findings about them", async () => {
  const permissions = {
    allow: ["Bash(curl *)"],
    deny: ["Read(secrets/**)", "Write(src/**)"],
    defaultMode: "acceptEdits",
  };
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ permissions }, undefined, 2));
  const { status, out, err } = await say("import", "claude", "settings.json");
  expect(status).toBe(1);
  for (const code of ["settings-rule-dangerous", "settings-rule-inert", "settings-open", "settings-unsayable"])
    expect(err).toContain(`warning[${code}]`);
  expect(err).toMatch(/settings\.json:\d+:/);
  writeFileSync(join(folder, "settings.cap"), out);
  expect(await say("check", "settings.cap")).toEqual({ status: 0, out: "", err: "" });
  const json = JSON.parse((await say("import", "claude", "settings.json", "--json")).out);
  expect(json).toMatchObject({ page: out, errors: 0 });
  expect(await say("import", "cursor", "settings.json")).toMatchObject({ status: 2, out: "" });
  expect(await say("import", "codex", "settings.json")).toMatchObject({ status: 1, out: "" });
  expect(await say("import", "claude", "none.json")).toMatchObject({ status: 3, out: "" });
  expect(await say("import", "claude", "bytes.yaml")).toMatchObject({ status: 1, out: "" });
});

test.each([
  ["codex", "config.toml", 'approval_policy = "never"\n[mcp_servers.gh]\n', "settings-open"],
  ["gemini", "gemini.json", '{ // why\n "coreTools": ["read_file"] }', "settings-unread"],
  ["gemini", "policy.toml", '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 1\n', "settings-rule-dangerous"],
  ["openclaw", "openclaw.json", "{ tools: { allow: ['read', 'read'] } }", "settings-rule-inert"],
])("settings of %s become a page that compiles, with findings about them", async (agent, file, text, code) => {
  writeFileSync(join(folder, file), text);
  const { status, out, err } = await say("import", agent, file);
  expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining(`warning[${code}]`) });
  expect(err).toMatch(new RegExp(`${file}:\\d+:`));
  writeFileSync(join(folder, "made.cap"), out);
  expect(await say("check", "made.cap")).toEqual({ status: 0, out: "", err: "" });
  expect(await say("fmt", "--check", "made.cap")).toEqual({ status: 0, out: "", err: "" });
});

test("--page adds a session to the given page, and this session allows no more than the settings", async () => {
  const page = join(CHECKOUT, "examples/mcp-import/system.cap");
  const permissions = { allow: ["mcp__github__get_issue"], deny: ["mcp__github__create_issue"] };
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ permissions }));
  const { out, err, status } = await say("import", "claude", "mcp.json", "--page", page);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toContain("session imported extends operator");
  expect(out).toMatch(/forbidden gh\.create_issue/);
  const refused = await say("import", "claude", "mcp.json", "--page", page, "--session", "nobody");
  expect(refused).toMatchObject({ status: 1, out: "", err: expect.stringContaining("no session nobody") });
  expect(await say("import", "claude", "mcp.json", "--session", "operator")).toMatchObject({ status: 2, out: "" });
  expect(await say("import", "page.yaml", "--page", page)).toMatchObject({ status: 2, out: "" });
  expect(await say("import", "claude", "mcp.json", "--page", "none.cap")).toMatchObject({ status: 3, out: "" });
});

test("--all prints all findings about settings as text", async () => {
  const deny = Array.from({ length: 60 }, (_, index) => `Bash(rm a${index})`);
  writeFileSync(join(folder, "many.json"), JSON.stringify({ permissions: { deny } }));
  const passable = (err: string) => err.match(/^warning\[settings-deny-passable\]/gm)?.length ?? 0;
  const some = await say("import", "claude", "many.json");
  expect(some.err).toContain("the first 50 are shown");
  expect(passable(some.err)).toBeLessThan(60);
  const all = await say("import", "claude", "many.json", "--all");
  expect(all).toMatchObject({ status: 1, out: some.out });
  expect(all.err).not.toContain("are shown");
  expect(passable(all.err)).toBe(60);
  expect(await say("import", "page.yaml", "--all")).toMatchObject({ status: 2, out: "" });
  expect(await say("import", "upstream", "manifest.bin", "--all")).toMatchObject({ status: 2, out: "" });
});

test("a manifest of upstream becomes a page with its programs, and the page builds the same manifest again", async () => {
  const { policy } = await compileExample("upstream-capos");
  writeFileSync(
    join(folder, "manifest.bin"),
    encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy))),
  );
  const printed = await say("import", "upstream", "manifest.bin");
  expect(printed).toMatchObject({
    status: 0,
    err: expect.stringMatching(/warning\[upstream-otherwise\][\s\S]*programs\/desk/),
  });
  expect(await say("import", "upstream", "manifest.bin", "--out", "system")).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^[\da-f]{64} +12904 {2}programs\/desk\n[\da-f]{64} +\d+ {2}keys\/alice.pub\n$/),
  });
  expect(readFileSync(join(folder, "system/system.cap"), "utf8")).toBe(printed.out);
  const build = await say("build", "system/system.cap", "--emit", "tables,manifest", "--out", "built");
  expect(build.status).toBe(0);
  expect(await say("import", "upstream", "built/manifest.bin")).toMatchObject({ status: 0, out: printed.out });
  const json = JSON.parse((await say("import", "upstream", "manifest.bin", "--without-tables", "--json")).out);
  expect(json).toMatchObject({
    errors: 0,
    page: expect.stringContaining("tables none"),
    files: [{ path: "programs/desk" }, {}],
  });
});

test("import overwrites neither a link, even a dangling one, nor a file where it needs a folder", async () => {
  const into = async (name: string, prepare: (path: string) => void) => {
    mkdirSync(join(folder, name));
    prepare(join(folder, name));
    const { status, err } = await say("import", "upstream", "manifest.bin", "--out", name);
    return { status, err, there: readdirSync(join(folder, name)) };
  };
  mkdirSync(join(folder, "elsewhere"));
  const has = (word: string) => expect.stringContaining(`has ${word} already; nothing was written`);
  const loose = await into("loose", (path) => symlinkSync("nowhere", join(path, "system.cap")));
  expect(loose).toEqual({ status: 2, err: has("system.cap"), there: ["system.cap"] });
  const led = await into("led", (path) => symlinkSync(join(folder, "elsewhere"), join(path, "keys")));
  expect(led).toEqual({ status: 2, err: has("keys"), there: ["keys"] });
  const blocked = await into("blocked", (path) => writeFileSync(join(path, "programs"), ""));
  expect(blocked).toEqual({ status: 2, err: has("programs"), there: ["programs"] });
  expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
  expect(await say("import", "upstream", "manifest.bin", "--out", "blocked/programs")).toMatchObject({ status: 3 });
});

test("import overwrites no file, writes nothing of a refused manifest, and refuses options of another kind of import", async () => {
  const twice = await say("import", "upstream", "manifest.bin", "--out", "system");
  expect(twice).toMatchObject({ status: 2, out: "", err: expect.stringContaining("system.cap, programs/desk") });
  writeFileSync(join(folder, "cut.bin"), readFileSync(join(folder, "manifest.bin")).subarray(0, 4096));
  const cut = await say("import", "upstream", "cut.bin", "--out", "none");
  expect(cut).toMatchObject({ status: 1, out: "", err: expect.stringContaining("error[not-upstream-manifest]") });
  expect(existsSync(join(folder, "none"))).toBe(false);
  expect(await say("import", "upstream", "missing.bin")).toMatchObject({ status: 3, out: "" });
  expect(await say("import", "page.yaml", "--out", "none")).toMatchObject({ status: 2, out: "" });
});
