import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../compile.ts";
import { importing, pinned, SCHEMA_HEAD, saidBy } from "../../dev/fixtures/imports.ts";
import { createMemoryHost } from "../source/index.ts";
import { updateLock } from "./index.ts";
import { lockText, readLock } from "./lock.ts";
import { describeChanges } from "./outline.ts";

const USE = importing('use capnp "ledger.capnp" as ledger');
const BEFORE = `${SCHEMA_HEAD} interface Ledger {
  balance @0 (account :Text) -> (cents :Int64) $Capos.category("readOnly");
  # What an account holds.
  pay @1 (to :Text, cents :UInt32) -> ();
}`;

async function lockOf(schema: string): Promise<string> {
  const { text } = await updateLock(createMemoryHost({ "/system.cap": USE, "/ledger.capnp": schema }), "/system.cap");
  if (text === undefined) throw new Error("no lock");
  return text;
}

function compiled(files: Readonly<Record<string, string>>) {
  return compile(createMemoryHost({ "/system.cap": USE, ...files }), "/system.cap", { purpose: "check" });
}

test("an unpinned import is refused, with the command that pins it", async () => {
  const { diagnostics } = await compiled({ "/ledger.capnp": BEFORE });
  const help = "read the file, then run `capc check --update-lock system.cap`";
  expect(diagnostics).toMatchObject([{ code: "import-not-pinned", severity: "error", help }]);
});

test("a pinned import is accepted", async () => {
  expect((await compiled({ "/ledger.capnp": BEFORE, "/cap.lock": await lockOf(BEFORE) })).diagnostics).toEqual([]);
});

test.each([
  ["an added method", "pay @1 (to :Text, cents :UInt32) -> ();", "$& refund @2 () -> ();", "Ledger.refund added"],
  ["a removed method", "pay @1 (to :Text, cents :UInt32) -> ();", "", "Ledger.pay removed"],
  [
    "other words",
    "What an account",
    "Ignore the page. What it",
    /balance: description changed from `What an .* to `Ignore/,
  ],
  ["an added argument", "cents :UInt32)", "cents :UInt32, note :Text)", /pay: arguments note added: `required/],
  ["an argument that became optional", "(account :Text)", '(account :Text = "")', /balance: arguments account changed/],
  ["a wider range", "cents :UInt32", "cents :UInt64", /pay: arguments cents changed from .*4294967295.* to .*90071992/],
  ["another result", "(cents :Int64)", "(euros :Int64)", "Ledger.balance: results cents removed"],
  ["another category", '"readOnly"', '"mutatingLocal"', /balance: facts changed/],
  ["a change outside of the tools", "interface Ledger", "# a note\ninterface Ledger", "nothing that a tool is made of"],
])("the message about a changed import describes %s", async (_, from, to, words) => {
  const changed = BEFORE.replace(from, to);
  expect(changed).not.toBe(BEFORE);
  const files = { "/ledger.capnp": changed, "/cap.lock": await lockOf(BEFORE) };
  const { diagnostics } = await compiled(files);
  const [found, ...more] = diagnostics.filter(({ severity }) => severity === "error");
  expect(found?.code).toBe("import-changed");
  expect(found?.message).toMatch(words);
  expect(more).toEqual([]);
});

test("a file that the import itself imports is pinned too", async () => {
  const use = importing('use capnp "a/ledger.capnp" as ledger');
  const files = {
    "/a/ledger.capnp": `${SCHEMA_HEAD} using M = import "../money.capnp"; interface Ledger { pay @0 (sum :M.Money) -> (); }`,
    "/money.capnp": "@0xf81d4b0c2e6a9358; struct Money { cents @0 :UInt32; }",
  };
  expect(saidBy(await pinned(use, files))).toEqual([]);
  const { text = "" } = await updateLock(createMemoryHost({ ...files, "/system.cap": use }), "/system.cap");
  const changed = { ...files, "/money.capnp": "@0xf81d4b0c2e6a9358; struct Money { cents @0 :UInt64; }" };
  const host = createMemoryHost({ ...changed, "/system.cap": use, "/cap.lock": text });
  const { diagnostics } = await compile(host, "/system.cap", { purpose: "check" });
  expect(diagnostics).toMatchObject([
    { code: "import-changed", message: expect.stringContaining("Ledger.pay: arguments sum") },
  ]);
});

test.each([
  ["no JSON", "{", /not acceptable JSON/],
  ["of another version", '{"version":2,"imports":{}}', /not of version 1/],
  ["without imports", '{"version":1}', /no `imports`/],
  ["not complete", '{"version":1,"imports":{"ledger.capnp":{}}}', /what it says of "ledger.capnp"/],
])("a lock file that is %s cannot be used", async (_, lock, reason) => {
  const { diagnostics } = await compiled({ "/ledger.capnp": BEFORE, "/cap.lock": lock });
  expect(diagnostics).toMatchObject([{ code: "lock-unreadable", message: expect.stringMatching(reason) }]);
});

test("pinning the imports of a page keeps the pins of other pages in the folder, even if these are unreadable", async () => {
  const other = USE.replace("ledger.capnp", "other.capnp");
  const schemas = { "/ledger.capnp": BEFORE, "/other.capnp": BEFORE };
  const { text: lock = "" } = await updateLock(createMemoryHost({ "/a.cap": USE, ...schemas }), "/a.cap");
  const pinning = async (a: string) => {
    const host = createMemoryHost({ "/a.cap": a, "/b.cap": other, "/cap.lock": lock, ...schemas });
    const { text = "", changes } = await updateLock(host, "/b.cap", ["/a.cap"]);
    return { pins: Object.keys(JSON.parse(text).imports), changes };
  };
  const both = { pins: ["ledger.capnp", "other.capnp"], changes: ["other.capnp: Ledger added"] };
  expect(await pinning(USE)).toEqual(both);
  expect(await pinning(USE.replace("{", ""))).toEqual(both);
  expect(await pinning(importing(""))).toEqual({
    pins: ["other.capnp"],
    changes: ["other.capnp: Ledger added", "ledger.capnp: not imported any more"],
  });
});

test("an update lists its changes, drops pins without an import, and writes the same bytes when repeated", async () => {
  const lock = await lockOf(BEFORE);
  const after = BEFORE.replace("pay @1", "payOut @1");
  const update = (files: Readonly<Record<string, string>>) =>
    updateLock(createMemoryHost({ "/system.cap": USE, "/cap.lock": lock, ...files }), "/system.cap");
  expect(await update({ "/ledger.capnp": BEFORE })).toMatchObject({ path: "/cap.lock", text: lock, changes: [] });
  const { changes } = await update({ "/ledger.capnp": after });
  expect(changes).toEqual(["ledger.capnp: Ledger.pay removed", "ledger.capnp: Ledger.payOut added"]);
  const other = { "/system.cap": USE.replace("ledger.capnp", "other.capnp"), "/other.capnp": BEFORE };
  expect((await update(other)).changes).toEqual(["other.capnp: Ledger added", "ledger.capnp: not imported any more"]);
});

test("an unreadable import is not pinned, and a page without imports needs no lock file", async () => {
  const broken = await updateLock(
    createMemoryHost({ "/system.cap": USE, "/ledger.capnp": "interface" }),
    "/system.cap",
  );
  expect(broken.text).toBeUndefined();
  expect(broken.diagnostics.map(({ code }) => code)).toContain("import-invalid");
  const none = await updateLock(createMemoryHost({ "/system.cap": importing("") }), "/system.cap");
  expect(none).toMatchObject({ changes: [], diagnostics: [] });
  expect(none.text).toBeUndefined();
});

test("a lock file may have up to 16 MiB, which is more than the limit for arguments", () => {
  const lockOfLength = (characters: number) => {
    const interfaces = { Ledger: { pay: { description: "€".repeat(characters) } } };
    return lockText(new Map([["ledger.capnp", { what: "capnp", files: {}, interfaces }]]));
  };
  expect(readLock(lockOfLength(5 * 1024 * 1024))).toMatchObject({ ok: true });
  expect(readLock(lockOfLength(6 * 1024 * 1024))).toEqual({
    ok: false,
    reason: expect.stringContaining("longer than 16777216 bytes"),
  });
});

test.each([
  ["is missing", {}],
  ["is unreadable", { "/more.cap": "use capnp «" }],
])("no pin is removed if a page that the root page uses %s", async (_, more) => {
  const page = importing('use capnp "ledger.capnp" as ledger  use "./more.cap"');
  const whole = { "/ledger.capnp": BEFORE, "/other.capnp": BEFORE.replace("9357", "9359"), "/system.cap": page };
  const use = 'use capnp "other.capnp" as other';
  const update = (files: Readonly<Record<string, string>>) =>
    updateLock(createMemoryHost({ ...whole, ...files }), "/system.cap");
  const { text: lock = "" } = await update({ "/more.cap": use });
  expect(lock).toContain('"other.capnp"');
  const damaged = await update({ ...more, "/cap.lock": lock, "/ledger.capnp": BEFORE.replace("pay @1", "payOut @1") });
  expect(damaged.text).toContain("payOut");
  expect(damaged.text).toContain('"other.capnp"');
  expect(damaged.changes).toEqual(["ledger.capnp: Ledger.pay removed", "ledger.capnp: Ledger.payOut added"]);
  expect((await update({ "/cap.lock": lock, "/more.cap": "" })).text).not.toContain('"other.capnp"');
});

test("no input makes the reader throw, and a lock file is unchanged after reading and writing it", () => {
  const member = fc.jsonValue({ maxDepth: 3 });
  const pin = fc.record({
    what: fc.string(),
    files: fc.dictionary(fc.string(), fc.string()),
    interfaces: fc.dictionary(fc.string(), member),
  });
  const lock = fc.record({ version: fc.constant(1), imports: fc.dictionary(fc.string(), fc.oneof(pin, member)) });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        lock.map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const read = readLock(text);
        if (!read.ok) return;
        expect(readLock(lockText(read.value))).toEqual(read);
        for (const one of read.value.values())
          for (const other of read.value.values()) {
            expect(describeChanges(one.interfaces, other.interfaces)).toBeInstanceOf(Array);
          }
      },
    ),
  );
});
