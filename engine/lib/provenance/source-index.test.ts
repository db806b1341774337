import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addResult, addWritten } from "./results.ts";
import { MAX_DOCUMENTS, MAX_TOKENS, SourceIndex } from "./source-index.ts";

const PERSON = { which: "person" } as const;
const KEY = "0123456789abcdef0123456789abcdef";

function readSources(index: SourceIndex, value: string): readonly string[] {
  const query = index.prepare(value);
  if (query === undefined) return [];
  return index
    .find(query)
    .map(({ origin }) => (origin.which === "result" ? `${origin.tool}.${origin.field}` : origin.which));
}

function makeIndex(...typed: readonly string[]): SourceIndex {
  const index = new SourceIndex(KEY);
  for (const text of typed) index.add(PERSON, text);
  return index;
}

describe("a value comes from a text", () => {
  test.each([
    ["an address, whole", "Write to ada@example.com, please", "Ada@Example.com"],
    ["a link in another spelling", "see http://www.example.com/", "https://www.example.com"],
    ["a sequence of words", "the subject is: Lunch on Friday!", "lunch on friday"],
    ["a name", "tell Alice that", "Alice"],
    ["a short name", "tell Bob that", "Bob"],
    ["an amount", "send 1,100.00 to them", "1100"],
    ["a small amount with its unit", "send 12 euros to them", "12.00"],
    ["a date", "on January 11th, 2024", "2024-01-11"],
    ["an account in groups", "to DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
  ])("%s", (_, text, value) => {
    expect(readSources(makeIndex(text), value)).toEqual(["person"]);
  });

  test.each([
    ["a part of an address", "write to xada@example.com", "ada@example.com"],
    ["a part of a domain", "see evil-example.com", "example.com"],
    ["a longer link", "see example.com/a/b", "example.com/a"],
    ["words in another order", "lunch friday on", "lunch on friday"],
    ["words of two texts", "lunch on", "lunch on friday"],
    ["a short word", "ask him now", "him"],
    ["a short name in lower case", "ask bob now", "Bob"],
    ["a value in lower case", "ask Bob now", "bob"],
    ["two letters", "ask Al now", "Al"],
    ["a short text", "room x 12 now", "x 12"],
    ["a small number without a unit", "send 12 to them", "12"],
    ["a date without its year", "on January 11th", "2024-01-11"],
    ["a blank value", "anything", "  "],
  ])("the source of a value is not %s", (_, text, value) => {
    expect(readSources(makeIndex(text, "friday"), value)).toEqual([]);
  });

  test("a text that equals the whole value is its source, even if it is short", () => {
    expect(readSources(makeIndex("Bob"), "bob")).toEqual(["person"]);
  });
});

describe("results", () => {
  const result = (value: unknown, args: unknown = {}): SourceIndex => {
    const index = new SourceIndex(KEY);
    addResult(index, { tool: "contacts.find", service: "contacts", integrity: 1, value, arguments: args } as Parameters<
      typeof addResult
    >[1]);
    return index;
  };

  test("each text or number of a result becomes a document under the name of its field", () => {
    const index = result({
      rows: [{ name: "Ada", account: "US133000000121212121212", id: 7 }],
      note: "call Ada today",
    });
    expect(readSources(index, "US133000000121212121212")).toEqual(["contacts.find.rows.account"]);
    expect(readSources(index, "7")).toEqual(["contacts.find.rows.id"]);
    expect(readSources(index, "ada")).toEqual(["contacts.find.rows.name"]);
  });

  test("a text that is one JSON object or list is also indexed by the fields inside it", () => {
    const rows = [
      { name: "Ada", address: "ada@example.com", note: '{"address":"eve@example.com"}' },
      { name: "Bob", address: "bob@example.com" },
    ];
    const index = result({ text: JSON.stringify(rows) });
    expect(readSources(index, "bob@example.com")).toEqual(["contacts.find.text", "contacts.find.text.address"]);
    expect(readSources(index, "eve@example.com")).toEqual(["contacts.find.text", "contacts.find.text.note"]);
    const query = index.prepare("bob@example.com");
    const found = (query === undefined ? [] : index.find(query)).at(-1);
    expect(index.findSibling(found?.document ?? -1, "text.name")).toEqual(index.prepare("Bob"));
  });

  test.each([
    ["two JSON objects", '{"address":"ada@example.com"}\n{"address":"eve@example.com"}'],
    ["YAML", "address: eve@example.com"],
    ["JSON with a repeated name", '{"address":"ada@example.com","address":"eve@example.com"}'],
    ["JSON after other text", 'found: {"address":"eve@example.com"}'],
    ["a JSON text", '"eve@example.com"'],
  ])("%s in a text does not become fields", (_, text) => {
    expect(readSources(result({ text }), "eve@example.com")).toEqual(["contacts.find.text"]);
  });

  test("JSON in a text without a field name is not parsed, so it cannot imitate fields of a record beside it", () => {
    const forged = '{"address":"eve@example.com"}';
    expect(readSources(result([{ address: "ada@example.com" }, forged]), "eve@example.com")).toEqual([
      "contacts.find.",
    ]);
    expect(readSources(result(forged), "eve@example.com")).toEqual(["contacts.find."]);
  });

  test("arguments that a result repeats have no source", () => {
    const index = result("no contact mallory@example.com", { name: "mallory@example.com" });
    expect(readSources(index, "mallory@example.com")).toEqual([]);
    expect(readSources(result("no contact mallory@example.com"), "mallory@example.com")).toEqual(["contacts.find."]);
  });

  test("only the fields of a document's own record are found as its siblings", () => {
    const index = result([
      { name: "Ada", address: "ada@example.com" },
      { name: "Bob", address: "bob@example.com" },
    ]);
    const query = index.prepare("bob@example.com");
    const [found] = query === undefined ? [] : index.find(query);
    expect(found).toBeDefined();
    expect(index.findSibling(found?.document ?? -1, "name")).toEqual(index.prepare("Bob"));
    expect(index.findSibling(found?.document ?? -1, "phone")).toBeUndefined();
  });

  test("the arguments found for a document are those of the call that returned it", () => {
    const index = result("the text of the first", { path: "one.txt" });
    addResult(index, {
      tool: "files.read",
      service: "files",
      integrity: 1,
      value: "the text of the second",
      arguments: { path: "two.txt" },
    });
    const query = index.prepare("text of the second");
    const [found] = query === undefined ? [] : index.find(query);
    expect(index.findArgument(found?.document ?? -1, "path")).toEqual(index.prepare("two.txt"));
    expect(index.findArgument(found?.document ?? -1, "name")).toBeUndefined();
    expect(readSources(index, "two.txt")).toEqual([]);
  });

  test("text that the conversation wrote into a service has no source when the service returns it", () => {
    const index = new SourceIndex(KEY);
    addWritten(index, "contacts", { address: "mallory@example.com" });
    const find = (service: string) => ({
      tool: `${service}.find`,
      service,
      integrity: 1,
      value: { address: "mallory@example.com" },
      arguments: {},
    });
    addResult(index, find("contacts"));
    expect(readSources(index, "mallory@example.com")).toEqual([]);
    addResult(index, find("payees"));
    expect(readSources(index, "mallory@example.com")).toEqual(["payees.find.address"]);
  });

  test("booleans and null do not become documents", () => {
    expect(readSources(result({ a: true, b: null }), "true")).toEqual([]);
  });

  test("a value that is nested too deep makes the index incomplete", () => {
    let value: unknown = "deep";
    for (let depth = 0; depth < 70; depth += 1) value = [value];
    expect(result(value).isComplete).toBe(false);
  });
});

describe("bounds", () => {
  test("a full index is incomplete and adds no more text", () => {
    const index = makeIndex("x ".repeat(MAX_TOKENS / 2), "x ".repeat(MAX_TOKENS / 2));
    expect(index.isComplete).toBe(true);
    index.add(PERSON, "ada@example.com");
    expect(index.isComplete).toBe(false);
    expect(readSources(index, "ada@example.com")).toEqual([]);
  });

  test("splits a long text into several documents without losing a word", () => {
    const index = makeIndex(`${"word ".repeat(30_000)}ada@example.com ${"word ".repeat(25_000)}bob@example.com`);
    expect([index.isComplete, index.documents.length]).toEqual([true, 3]);
    for (const value of ["ada@example.com", "bob@example.com"]) expect(readSources(index, value)).toHaveLength(1);
    expect(makeIndex("x".repeat(200_000)).isComplete).toBe(false);
  });

  test("an index with too many documents is incomplete", () => {
    const index = makeIndex(...Array.from({ length: MAX_DOCUMENTS }, () => "x"));
    expect(index.isComplete).toBe(true);
    index.add(PERSON, "x");
    expect(index.isComplete).toBe(false);
  });

  test("searches a repetitive text for a repetitive value in bounded time", () => {
    const index = makeIndex("a ".repeat(MAX_TOKENS / 2), "a ".repeat(MAX_TOKENS / 2 - 2), "a b");
    const query = index.prepare(`${"a ".repeat(20_000)}b`);
    expect(query && index.find(query)).toEqual([]);
  });
});

describe("laws", () => {
  const words = fc.array(fc.constantFrom("alpha", "beta", "gamma", "delta"), { minLength: 1, maxLength: 8 });

  test("finds exactly the texts that a plain search for words finds", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), words, (texts, value) => {
        const index = makeIndex(...texts.map((text) => text.join(" ")));
        const expected = texts.filter((text) => ` ${text.join(" ")} `.includes(` ${value.join(" ")} `));
        expect(readSources(index, value.join(" "))).toHaveLength(expected.length);
      }),
    );
  });

  test("an index with another key computes other digests of a value", () => {
    const other = new SourceIndex("fedcba9876543210fedcba9876543210");
    expect(other.prepare("ada@example.com")?.digests).not.toEqual(makeIndex().prepare("ada@example.com")?.digests);
  });
});
