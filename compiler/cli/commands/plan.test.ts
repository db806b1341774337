import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { CHECKED_WHOLE } from "../../../targets/contract/artifact.ts";
import { planManifest } from "../../../targets/manifest/manifest.ts";
import { compile } from "../../compile.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { runCommand } from "../memory-world.ts";
import { requireLawful } from "../page.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples/", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "capc-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const example of ["first-agent", "mail-desk"])
  cpSync(join(EXAMPLES, example), join(folder, example), { recursive: true });
const SMALL = `system small version "1.0.0" {
  use std.tools
  backend canned { stub }
  service notes : Files { state 1 MiB }
  session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;
writePage("small", SMALL);

function writePage(name: string, text: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "system.cap"), text);
}

const plan = (...words: string[]) => runCommand(["plan", ...words], { folder });

/** Writes the tables and the manifest of a build of a page. */
async function build(page: string, into: string): Promise<void> {
  const compiled = await compile(createDiskHost(), join(folder, page), { purpose: "build", proofs: "left" });
  const { policy, origins } = requireLawful(compiled);
  const tables = encodeMessage(PolicyTables, policy.tables);
  const root = { size: 4096, sha256: new Uint8Array(32), verity: CHECKED_WHOLE };
  write(join(into, "policy/tables.bin"), tables);
  write(join(into, "manifest.bin"), encodeMessage(Manifest, planManifest(policy, { tables, root, origins })));
}

function write(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

/** Returns a screen without digests, which change with every word of the tables. */
const maskDigests = (screen: string) => screen.replace(/(SHA-256 of .*?)[0-9a-f]{16}/g, "$10000000000000000");

test("plan shows the content, rights and memory of a page that was never built", async () => {
  const { status, out, err } = await plan("first-agent/system.cap");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  await expect(maskDigests(out)).toMatchFileSnapshot("../plan/first-agent.txt");
});

test("plan shows the changes of a page whose last build was stricter and used other names of services", async () => {
  const page = readFileSync(join(folder, "mail-desk/system.cap"), "utf8");
  writePage(
    "mail-desk-before",
    page
      .replaceAll("contacts", "book")
      .replace("4 readOnly per turn", "2 readOnly per turn")
      .replace(
        "  /// Letters to send",
        "  service spare : Files { label public/untrusted  state 2 MiB }\n\n  /// Letters to send",
      )
      .replace("from person, book.read.content else consent", "from book.read.content else consent")
      .replace(/ {2}test[\s\S]*(?= {2}storage)/, ""),
  );
  cpSync(join(folder, "mail-desk/replies.json"), join(folder, "mail-desk-before/replies.json"));
  await build("mail-desk-before/system.cap", "build/mail-desk");
  const { status, out } = await plan("mail-desk/system.cap");
  expect(status).toBe(0);
  await expect(maskDigests(out)).toMatchFileSnapshot("../plan/mail-desk.txt");
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test.each(["tour", "log-triage", "remote-agent"])("the screen of %s has 80 columns", async (example) => {
  const { out } = await runCommand(["plan", join(EXAMPLES, example)], { folder });
  expect(out).toContain("Who may do what");
  expect(out.split("\n").filter((line) => line.length > 80 && !line.includes("://"))).toEqual([]);
});

test("--check ends with 1 without a build and after a change, and with 0 if a build would change nothing", async () => {
  expect((await plan("small/system.cap", "--check")).status).toBe(1);
  await build("small/system.cap", "build/small");
  expect(await plan("small/system.cap", "--check")).toMatchObject({
    status: 0,
    out: expect.stringContaining("Changes against build/small (small 1.0.0)\n  a build would change nothing\n"),
  });
  // A comment changes the line numbers in the tables, but not their meaning.
  writePage("small", `// Somebody's notes.\n${SMALL}`);
  expect(await plan("small/system.cap", "--check")).toMatchObject({
    status: 0,
    out: expect.stringContaining("\n  a build would change only words of lines,"),
  });
  writePage("small", SMALL.replace("state 1 MiB", "state 2 MiB"));
  const changed = await plan("small/system.cap", "--check");
  expect(changed.status).toBe(1);
  expect(changed.out).toContain("  + process notes: on the data disk at most: 3 MiB → 5 MiB\n");
  writePage("small", SMALL);
});

test("without a manifest, or with the manifest of other tables, only the tables are compared, and the screen says so", async () => {
  await build("small/system.cap", "build/odd");
  writePage("odd", SMALL.replace("consent mutatingLocal", "auto mutatingLocal"));
  expect((await plan("odd/system.cap")).out).toContain("not compared: flows, assertions,");
  await build("odd/system.cap", "build/other");
  cpSync(join(folder, "build/other/manifest.bin"), join(folder, "build/odd/manifest.bin"));
  const { out } = await plan("odd/system.cap");
  expect(out).toContain("  + operator: notes.write: consent → auto\n");
  expect(out).toContain("not compared: grants and scopes of services,");
});

test("--against accepts a page, too, and refuses other files", async () => {
  const { out } = await plan("odd/system.cap", "--against", "small/system.cap");
  expect(out).toContain("Changes against small/system.cap (small 1.0.0)\n  + operator: notes.write: consent → auto\n");
  expect(await plan("odd/system.cap", "--against", "build/none")).toMatchObject({ status: 3, out: "" });
  expect(await plan("none/system.cap")).toMatchObject({ status: 3, out: "" });
});

test("a page with errors has no plan", async () => {
  writePage("wrong", SMALL.replace("auto readOnly", "auto readOnyl"));
  expect(await plan("wrong/system.cap")).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringContaining("readOnyl"),
  });
});

test("a refuted assertion is counted: a build would refuse the page", async () => {
  writePage("refuted", SMALL.replace("  storage {", "  assert never call notes.write for operator\n  storage {"));
  const { status, out, err } = await plan("refuted/system.cap");
  expect(status).toBe(0);
  expect(out).toMatch(/proofs +1 of \d+ assertions do not hold: capc build refuses them\n/);
  expect(err).toContain("never call notes.write");
});

test("prints colours only on a terminal, unless the option or the environment says otherwise", async () => {
  const words = ["plan", "odd/system.cap"];
  const isRed = async (...[more, world]: Parameters<typeof runCommand>) =>
    (await runCommand([...words, ...more], { folder, ...world })).out.includes("\u001b[31m  + operator");
  expect(await isRed([], {})).toBe(false);
  expect(await isRed([], { outputIsTerminal: true })).toBe(true);
  expect(await isRed([], { outputIsTerminal: true, environment: { NO_COLOR: "1" } })).toBe(false);
  expect(await isRed([], { outputIsTerminal: true, environment: { TERM: "dumb" } })).toBe(false);
  expect(await isRed(["--color", "always"], {})).toBe(true);
  expect(await isRed(["--color", "never"], { outputIsTerminal: true })).toBe(false);
});

test("control characters in a page's text do not reach the terminal", async () => {
  writePage("odd", SMALL.replace("consent mutatingLocal", 'auto mutatingLocal because "a\u001b[2Jb"'));
  const { out, err } = await plan("odd/system.cap");
  expect(`${out}${err}`).not.toContain("\u001b");
});
