import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, expect, test } from "vitest";
import { bytesOf, smallLog } from "../../../engine/processes/audit/testing/sample.ts";
import { dispatch } from "../dispatch.ts";
import { createMemoryWorld } from "../memory-world.ts";
import { SCHEMAS } from "./schema.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "capc-schema-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "audit.log"), bytesOf(smallLog()));
writeFileSync(join(folder, "torn.log"), bytesOf(smallLog()).slice(0, -3).fill(7, 900, 901));
const BAD = readFileSync(join(CHECKOUT, "compiler/rules/advice/stray-doc/bad.cap"), "utf8");
writeFileSync(join(folder, "bad.cap"), BAD);
writeFileSync(join(folder, "worse.cap"), BAD.replace("auto canned", "auto caned"));
const TESTED = readFileSync(join(CHECKOUT, "examples/guest-kiosk/system.cap"), "utf8");
writeFileSync(join(folder, "replies.json"), "[]");
writeFileSync(join(folder, "tested.cap"), TESTED);
writeFileSync(join(folder, "other.cap"), TESTED.replace("<= 280", "<= 300").replace("6 readOnly", "7 readOnly"));
writeFileSync(join(folder, "failing.cap"), TESTED.replace("expect deniedByUser", "expect ok"));
// The proofs of this page contain two conversations, a release, a waiver, and permissions that no conversation can use.
const REFUTED = readFileSync(join(CHECKOUT, "compiler/rules/verdicts/flow-leak/bad-across.cap"), "utf8");
writeFileSync(
  join(folder, "refuted.cap"),
  REFUTED.replace(
    "assert never",
    'waive trifecta for visitor because "a trial"  session shut extends operator { permit { auto board.read } }  assert never',
  ),
);
// The page has a service that uses another service by a grant.
writeFileSync(
  join(folder, "granted.cap"),
  readFileSync(join(CHECKOUT, "compiler/rules/verdicts/assertion-refuted/bad-grant.cap"), "utf8"),
);
writeFileSync(
  join(folder, "page.yaml"),
  "form: capc-page-1\nitems:\n  - kind: category\n    name: odd\n    parent: readOnly\n",
);
writeFileSync(join(folder, "wrong.yaml"), "form: capc-page-1\nitems: [{ kind: nothing }]\n");
writeFileSync(join(folder, "settings.json"), JSON.stringify({ permissions: { allow: ["Bash(curl *)"] } }));
writeFileSync(join(folder, "none-such.json"), "[]");
writeFileSync(join(folder, "golden.tsv"), "guest\t-\t-\t-\texhibits.list\tforbidden\n");

async function said(...words: string[]): Promise<unknown> {
  const world = createMemoryWorld({ folder });
  await dispatch(words, world);
  return JSON.parse(world.printed());
}

const validators = new Map<string, ValidateFunction>();

/**
 * Returns a function that validates values against a published schema. The validator is compiled once, because the
 * schema of pages takes seconds.
 */
async function validatorOf(name: string): Promise<ValidateFunction> {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const schema = (await said("schema", name)) as object;
  const validator = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false }).compile(schema);
  validators.set(name, validator);
  return validator;
}

/** Returns the errors of a value against a published schema. */
async function faults(name: string, value: unknown): Promise<unknown> {
  const validate = await validatorOf(name);
  validate(value);
  return validate.errors ?? [];
}

test.each([
  ["page", ["export", join(CHECKOUT, "lang/spec/whole-page.cap"), "--to", "json"]],
  ["diagnostics", ["check", "worse.cap", "--json"]],
  ["diagnostics", ["lint", "bad.cap", "--json"]],
  ["diagnostics", ["lint", "bad.cap", "gone.cap", "--json"]],
  ["diagnostics", ["check", "tested.cap", "--json"]],
  ["proofs", ["prove", "tested.cap", "--json"]],
  ["proofs", ["prove", "refuted.cap", "--json"]],
  ["proofs", ["prove", "tested.cap", "assert never call guestbook.write", "--json"]],
  ["proofs", ["prove", "granted.cap", "--json"]],
  ["proofs", ["prove", "worse.cap", "--json"]],
  ["test", ["test", "tested.cap", "--json"]],
  ["test", ["test", "tested.cap", "--mutate", "--json"]],
  ["test", ["test", "failing.cap", "--json"]],
  ["test", ["test", "tested.cap", "--golden", "golden.tsv", "--json"]],
  ["test", ["test", "worse.cap", "--json"]],
  ["why", ["why", "tested.cap", "guest exhibits.read", "--json"]],
  ["why", ["why", "tested.cap", "guest guestbook.write", "--label", "public/untrusted", "--unattended", "--json"]],
  ["why", ["why", "tested.cap", 'guest guestbook.write {"path":"a","content":"b"}', "--json"]],
  ["why", ["why", "tested.cap", "guest exhibits.write", "--json"]],
  ["why", ["why", "worse.cap", "operator notes.read", "--json"]],
  ["plan", ["plan", "tested.cap", "--json"]],
  ["plan", ["plan", "tested.cap", "--against", "other.cap", "--json"]],
  ["plan", ["plan", "worse.cap", "--json"]],
  ["diff", ["diff", "tested.cap", "other.cap", "--json"]],
  ["diff", ["diff", "tested.cap", "worse.cap", "--json"]],
  ["replay", ["replay", "audit.log", "--policy", "tested.cap", "--json"]],
  ["replay", ["replay", "torn.log", "--policy", "tested.cap", "--json"]],
  ["replay", ["replay", "audit.log", "--policy", "worse.cap", "--json"]],
  ["suggest", ["suggest", "audit.log", "--policy", "tested.cap", "--json"]],
  ["suggest", ["suggest", "audit.log", "--policy", "worse.cap", "--json"]],
  ["export", ["export", "tested.cap", "--to", "cedar", "--json"]],
  ["export", ["export", "tested.cap", "--to", "claude", "--json"]],
  ["export", ["export", "worse.cap", "--to", "rego", "--json"]],
  ["import", ["import", "page.yaml", "--json"]],
  ["import", ["import", "claude", "settings.json", "--json"]],
  ["import", ["import", "claude", "none-such.json", "--json"]],
  ["import", ["import", "wrong.yaml", "--json"]],
  ["report", ["report", "tested.cap", "--out", "report.html", "--json"]],
  ["report", ["report", "worse.cap", "--json"]],
  ["report", ["report", "tested.cap", "--against", "worse.cap", "--json"]],
  ["audit", ["audit", "verify", "audit.log", "--json"]],
  ["audit", ["audit", "verify", "torn.log", "--json", "--known", "0".repeat(64)]],
  ["audit", ["audit", "show", "audit.log", "--json"]],
  ["audit", ["audit", "summary", "audit.log", "--json"]],
  ["audit", ["audit", "summary", "torn.log", "--policy", "tested.cap", "--json"]],
])("the schema %s describes what capc %s prints", async (name, words) => {
  expect(await faults(name, await said(...words))).toEqual([]);
});

test.each(["examples/capnp-tools/cap.lock", "examples/mcp-import/cap.lock"])(
  "%s matches the schema of lock files",
  async (path) => {
    const lock = JSON.parse(readFileSync(join(CHECKOUT, path), "utf8"));
    expect(await faults("lock", lock)).toEqual([]);
    expect(await faults("lock", { ...lock, version: 2 })).not.toEqual([]);
  },
);

test.each([...SCHEMAS.keys()])("the schema %s refuses values of another form", async (name) => {
  // A file without replies is valid.
  const wrongs = name === "replies" ? [{}, { errors: "0" }] : [{}, [], { errors: "0" }];
  for (const wrong of wrongs) expect(await faults(name, wrong)).not.toEqual([]);
  const right = (await said("check", "worse.cap", "--json")) as object;
  expect(await faults("diagnostics", { ...right, surplus: 1 })).not.toEqual([]);
});

test("lists the schemas, and refuses an unknown schema", async () => {
  expect(await said("schema", "--json")).toEqual([...SCHEMAS].map(([name, { of }]) => ({ name, of })));
  const world = createMemoryWorld();
  expect(await dispatch(["schema", "pages"], world)).toBe(2);
  expect(world.reported()).toContain(
    "there are page, diagnostics, proofs, test, why, plan, diff, replay, suggest, export, import, report, lock, verify, model, audit",
  );
});
