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
    ["a short name that is not written as one", "ask bob now", "Bob"],
    ["a value that is not written as a name", "ask Bob now", "bob"],
    ["two letters", "ask Al now", "Al"],
    ["a short text", "room x 12 now", "x 12"],
    ["a small number without a unit", "send 12 to them", "12"],
    ["a date without its year", "on January 11th", "2024-01-11"],
    ["nothing at all", "anything", "  "],
  ])("but not %s", (_, text, value) => {
    expect(readSources(makeIndex(text, "friday"), value)).toEqual([]);
  });

  test("a whole text counts however short it is", () => {
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

  test("each leaf is a document under the name of its field", () => {
    const index = result({
      rows: [{ name: "Ada", account: "US133000000121212121212", id: 7 }],
      note: "call Ada today",
    });
    expect(readSources(index, "US133000000121212121212")).toEqual(["contacts.find.rows.account"]);
    expect(readSources(index, "7")).toEqual(["contacts.find.rows.id"]);
    expect(readSources(index, "ada")).toEqual(["contacts.find.rows.name"]);
  });

  test("a text that is one JSON object or list has its leaves as fields below its own", () => {
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
    ["JSON with a name that stands twice", '{"address":"ada@example.com","address":"eve@example.com"}'],
    ["JSON behind words", 'found: {"address":"eve@example.com"}'],
    ["JSON that is a text", '"eve@example.com"'],
  ])("%s in a text is a text and no more", (_, text) => {
    expect(readSources(result({ text }), "eve@example.com")).toEqual(["contacts.find.text"]);
  });

  test("a text without a name is a text and no more: what it says beside a record does not look like a field of it", () => {
    const forged = '{"address":"eve@example.com"}';
    expect(readSources(result([{ address: "ada@example.com" }, forged]), "eve@example.com")).toEqual([
      "contacts.find.",
    ]);
    expect(readSources(result(forged), "eve@example.com")).toEqual(["contacts.find."]);
  });

  test("words of the call that come back come from nowhere", () => {
    const index = result("no contact mallory@example.com", { name: "mallory@example.com" });
    expect(readSources(index, "mallory@example.com")).toEqual([]);
    expect(readSources(result("no contact mallory@example.com"), "mallory@example.com")).toEqual(["contacts.find."]);
  });

  test("a document knows the other fields of its record, and no other record's", () => {
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

  test("a document knows the arguments of its call, and no other call's", () => {
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

  test("what the conversation wrote into a service comes back from it as nobody's words", () => {
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

  test("truth values and null are not documents", () => {
    expect(readSources(result({ a: true, b: null }), "true")).toEqual([]);
  });

  test("JSON that is nested too deep makes the index incomplete", () => {
    let value: unknown = "deep";
    for (let depth = 0; depth < 70; depth += 1) value = [value];
    expect(result(value).isComplete).toBe(false);
  });
});

describe("bounds", () => {
  test("an index that is full says so, and takes nothing more", () => {
    const index = makeIndex("x ".repeat(MAX_TOKENS / 2), "x ".repeat(MAX_TOKENS / 2));
    expect(index.isComplete).toBe(true);
    index.add(PERSON, "ada@example.com");
    expect(index.isComplete).toBe(false);
    expect(readSources(index, "ada@example.com")).toEqual([]);
  });

  test("a text that is longer than what is split at once is several documents, and no word of it is lost", () => {
    const index = makeIndex(`${"word ".repeat(30_000)}ada@example.com ${"word ".repeat(25_000)}bob@example.com`);
    expect([index.isComplete, index.documents.length]).toEqual([true, 3]);
    for (const value of ["ada@example.com", "bob@example.com"]) expect(readSources(index, value)).toHaveLength(1);
    expect(makeIndex("x".repeat(200_000)).isComplete).toBe(false);
  });

  test("documents are counted", () => {
    const index = makeIndex(...Array.from({ length: MAX_DOCUMENTS }, () => "x"));
    expect(index.isComplete).toBe(true);
    index.add(PERSON, "x");
    expect(index.isComplete).toBe(false);
  });

  test("a text that repeats itself is searched, as is a value that does", () => {
    const index = makeIndex("a ".repeat(MAX_TOKENS / 2), "a ".repeat(MAX_TOKENS / 2 - 2), "a b");
    const query = index.prepare(`${"a ".repeat(20_000)}b`);
    expect(query && index.find(query)).toEqual([]);
  });
});

describe("laws", () => {
  const words = fc.array(fc.constantFrom("alpha", "beta", "gamma", "delta"), { minLength: 1, maxLength: 8 });

  test("the index finds what a search over plain words finds", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), words, (texts, value) => {
        const index = makeIndex(...texts.map((text) => text.join(" ")));
        const expected = texts.filter((text) => ` ${text.join(" ")} `.includes(` ${value.join(" ")} `));
        expect(readSources(index, value.join(" "))).toHaveLength(expected.length);
      }),
    );
  });

  test("another key gives other digests", () => {
    const other = new SourceIndex("fedcba9876543210fedcba9876543210");
    expect(other.prepare("ada@example.com")?.digests).not.toEqual(makeIndex().prepare("ada@example.com")?.digests);
  });
});
