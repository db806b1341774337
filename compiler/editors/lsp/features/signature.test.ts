import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { compiledAt, compiledInMemory, readText } from "../testing/snapshots.ts";
import { computeSignature } from "./signature.ts";

const LEDGER = readFileSync(new URL("../../../../examples/capnp-tools/ledger.capnp", import.meta.url), "utf8");
const PAGE = `system house version "1.0.0" {
  use std.tools
  use capnp "ledger.capnp" as bank
  interface bank.Ledger { method pay : destructive }
  service books : bank.Ledger {}
  service notes : Files { state 1 MiB }
  backend canned { stub }
  session operator { kind operator  models { auto canned }  permit { auto readOnly } }
  /// Pays a bill.
  task settle(limit: money EUR, due: date) in operator { only readOnly }
}
`;
const snapshot = await compiledAt(createMemoryHost({ "/system.cap": PAGE, "/ledger.capnp": LEDGER }), "/system.cap");

/** Returns the signature at the `|` of a text, with the active argument in brackets, and its documentation. */
async function signatureAt(marked: string): Promise<string> {
  const at = marked.indexOf("|");
  const found = await computeSignature(readText(marked.replace("|", "")), at, snapshot);
  const [signature] = found?.signatures ?? [];
  const active = signature?.parameters?.[found?.activeParameter ?? -1]?.label;
  return typeof active === "string"
    ? (signature?.label.replace(active, `[${active}]`) ?? "")
    : (signature?.label ?? "");
}

const PAY = 'books.pay { account: "travel" | "coffee", payee: record, cents: integer, memo?: text }';

test.each([
  ["an empty call", 'test "a" { call notes.write { | } }', "notes.write { [path: text], content: text }"],
  [
    "the value of an argument",
    'test "a" { call notes.write { content: | } }',
    "notes.write { path: text, [content: text] }",
  ],
  [
    "the text of an argument",
    'test "a" { call notes.write { content: "x|" } }',
    "notes.write { path: text, [content: text] }",
  ],
  ["the next argument", 'test "a" { call notes.write { path: "a", |', "notes.write { path: text, [content: text] }"],
  [
    "a complete call",
    'test "a" { call notes.write { path: "a", content: "b", |',
    "notes.write { path: text, content: text }",
  ],
  [
    "a record in a call",
    'test "a" { call books.pay { payee: { name: |',
    PAY.replace("payee: record", "[payee: record]"),
  ],
  ["a task", 'test "a" { as settle(|', "settle([limit: money EUR], due: date)"],
  [
    "a task after its session",
    'test "a" { as operator.settle(limit: 5 EUR, |',
    "operator.settle(limit: money EUR, [due: date])",
  ],
  ["a function", "session a { permit { auto notes.write where size(|", "size([argument])"],
  ["the innermost function", "session a { permit { auto notes.write where every(domain(|", "domain([argument])"],
  [
    "a call that is a source",
    "session a { permit { auto a where b from books.history(most from page and |",
    'books.history([account: "travel" | "coffee"], most?: integer)',
  ],
])("the signature in %s names the active argument", async (_, text, signature) => {
  expect(await signatureAt(text)).toBe(signature);
});

test.each([
  ["after a call", 'test "a" { call notes.write {} |'],
  ["in a block", "session a { permit { | } }"],
  ["in a call of an unknown tool", 'test "a" { call nothing.write { |'],
  ["in the result of a call", 'test "a" { call notes.read {} giving { |'],
  ["in a task without parameters", 'test "a" { as operator(|'],
  ["in a condition", "session a { permit { auto notes.write where pa|th"],
])("there is no signature %s", async (_, text) => {
  expect(await signatureAt(text)).toBe("");
});

test("a signature has the description of the tool, and before the first compilation there is no signature", async () => {
  const text = 'test "a" { call notes.write { ';
  const found = await computeSignature(readText(text), text.length, await compiledInMemory());
  expect(JSON.stringify(found?.signatures[0]?.documentation)).toContain("Write a text file");
  expect(await computeSignature(readText(text), text.length, undefined)).toBeUndefined();
});
