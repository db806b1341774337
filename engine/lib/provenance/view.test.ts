import { describe, expect, test } from "vitest";
import type { Json } from "../policy/index.ts";
import type { Related, Source } from "../wire/generated/policy.ts";
import { addResult } from "./results.ts";
import { SourceIndex } from "./source-index.ts";
import { viewSources } from "./view.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const isStrong = (tool: string, name: string) => tool !== "web.get" && name !== "rows.name";
const PERSON: Source = { which: "person" };
const PASTED: Source = { which: "pasted" };
const PAGE: Source = { which: "page" };
const UNTRUSTED: Source = { which: "untrusted" };
const field = (tool: string, name: string, ...related: readonly Related[]): Source => ({
  which: "field",
  field: { tool, name, related, isStrong: isStrong(tool, name) },
});
const relate = (name: string, changes: Partial<Related>): Related => ({
  name,
  ofCall: false,
  text: "",
  sources: [],
  ...changes,
});

function read(index: SourceIndex, tool: string, value: Json, { integrity = 1, args = {} as Json } = {}): void {
  addResult(index, { tool, service: tool.split(".")[0] ?? "", integrity, value, arguments: args });
}

describe("a value by its sources", () => {
  const index = new SourceIndex(KEY);
  index.add({ which: "person" }, "pay the bill of Ada, ada@example.com");
  index.add({ which: "pasted" }, "see https://pasted.example.com/a");
  index.add({ which: "page" }, "partner@example.com");
  read(index, "contacts.find", {
    rows: [
      { name: "Bob Dylan", address: "bob@example.com" },
      { name: "Mallory", address: "mallory@example.com" },
    ],
  });
  read(index, "web.get", "write to eve@example.com", { integrity: 0, args: { url: "https://example.com/b" } });
  const sources = viewSources(index, isStrong);

  test.each<[string, string, readonly Source[], string]>([
    ["text typed by the person is strong", "ada@example.com", [PERSON], "strong"],
    ["pasted text is not typed by the person", "https://pasted.example.com/a", [PERSON], "none"],
    ["pasted text is weak", "https://pasted.example.com/a", [PASTED], "weak"],
    ["text of the page is strong", "partner@example.com", [PAGE], "strong"],
    [
      "a field that only its owner fills is strong",
      "bob@example.com",
      [field("contacts.find", "rows.address")],
      "strong",
    ],
    ["another field is weak", "Bob Dylan", [field("contacts.find", "rows.name")], "weak"],
    ["a field is not another field", "Bob Dylan", [field("contacts.find", "rows.address")], "none"],
    ["a field of another tool does not count", "bob@example.com", [field("payees.find", "rows.address")], "none"],
    ["the best source counts", "ada@example.com", [field("web.get", ""), PERSON], "strong"],
    ["a level includes text of that level", "bob@example.com", [{ which: "atLeast", atLeast: 1 }], "strong"],
    ["a level includes the person's text", "ada@example.com", [{ which: "atLeast", atLeast: 2 }], "strong"],
    ["a level excludes text below it", "eve@example.com", [{ which: "atLeast", atLeast: 1 }], "none"],
    ["untrusted text alone is untrusted", "eve@example.com", [UNTRUSTED], "weak"],
    ["pasted text is untrusted", "https://pasted.example.com/a", [UNTRUSTED], "weak"],
    ["untrusted text with a better source is not untrusted", "ada@example.com", [UNTRUSTED], "none"],
    ["unknown text is not untrusted", "nobody@example.com", [UNTRUSTED], "none"],
    ["a blank text has no source", " ", [PERSON, UNTRUSTED], "none"],
  ])("%s", (_, value, asked, expected) => expect(sources.judge(value, asked)).toBe(expected));

  test("names the most trusted place in which a value occurred", () => {
    expect(sources.trace("ada@example.com")).toEqual({ words: "typed by you", standing: "strong" });
    expect(sources.trace("eve@example.com")).toEqual({ words: "result of web.get", standing: "weak" });
    expect(sources.trace("bob@example.com")?.words).toBe("rows.address of contacts.find");
    expect(sources.trace("https://pasted.example.com/a")?.words).toBe("pasted by you");
    expect(sources.trace("partner@example.com")?.words).toBe("the page");
    expect(sources.trace("nobody@example.com")).toBeUndefined();
  });

  test("names a place of a value only if it is one of the requested sources", () => {
    expect(sources.trace("bob@example.com", [PERSON])).toBeUndefined();
    expect(sources.trace("bob@example.com", [PERSON, field("contacts.find", "rows.address")])?.standing).toBe("strong");
    expect(sources.trace("eve@example.com", [UNTRUSTED])?.words).toBe("result of web.get");
    expect(sources.trace("ada@example.com", [UNTRUSTED])).toBeUndefined();
  });

  test("quotes and shortens a field name that is not a plain word", () => {
    const odd = new SourceIndex(KEY);
    read(odd, "web.get", {
      'x of contacts.find; to: typed by "you"': "one@example.com",
      ["y".repeat(100)]: "two@example.com",
    });
    const view = viewSources(odd, isStrong);
    expect(view.trace("one@example.com")?.words).toBe('"x of contacts.find; to: typed by \\"you\\"" of web.get');
    expect(view.trace("two@example.com")?.words).toBe(`"${"y".repeat(64)}"… of web.get`);
  });
});

describe("records", () => {
  const index = new SourceIndex(KEY);
  index.add({ which: "person" }, "invite the people of the Quarterly review, as in notes/plan.txt");
  read(index, "calendar.list", [
    { title: "Quarterly review", owner: "me@example.com", participants: ["ada@example.com"] },
    { title: "Dinner", owner: "eve@example.com", participants: ["mallory@example.com"] },
  ]);
  read(index, "files.read", "bob@example.com", { args: { path: "notes/plan.txt" } });
  read(index, "files.read", "eve@example.com", { args: { path: "notes/other.txt" } });
  const sources = viewSources(index, () => true);

  test("a field counts as a source only if the field that the condition names has the required source", () => {
    const named = field("calendar.list", "participants", relate("title", { sources: [PERSON] }));
    expect(sources.judge("ada@example.com", [named])).toBe("strong");
    expect(sources.judge("mallory@example.com", [named])).toBe("none");
  });

  test("a field counts as a source only if the field that the condition names has the required text", () => {
    const mine = field("calendar.list", "participants", relate("owner", { text: "me@example.com" }));
    expect(sources.judge("ada@example.com", [mine])).toBe("strong");
    expect(sources.judge("mallory@example.com", [mine])).toBe("none");
  });

  test("a result counts as a source only if the argument of its call has the required source", () => {
    const asked = field("files.read", "", relate("path", { ofCall: true, sources: [PERSON] }));
    expect(sources.judge("bob@example.com", [asked])).toBe("strong");
    expect(sources.judge("eve@example.com", [asked])).toBe("none");
  });

  test("a field does not count as a source if the related field that the condition names is absent", () => {
    const absent = field("calendar.list", "participants", relate("room", { sources: [PERSON] }));
    expect(sources.judge("ada@example.com", [absent])).toBe("none");
  });
});

describe("an index that lost text", () => {
  const index = new SourceIndex(KEY);
  index.add({ which: "person" }, "ada@example.com");
  index.markIncomplete();
  const sources = viewSources(index, () => true);

  test("an incomplete index still finds a value that it contains", () =>
    expect(sources.judge("ada@example.com", [PERSON])).toBe("strong"));
  test("an incomplete index reports the source of a value that it does not contain as unknown", () => {
    expect(sources.judge("eve@example.com", [PERSON])).toBe("unknown");
    expect(sources.judge("eve@example.com", [UNTRUSTED])).toBe("unknown");
  });
  test("an incomplete index does not report a value as untrusted if it also occurs in a trusted place", () =>
    expect(sources.judge("ada@example.com", [UNTRUSTED])).toBe("none"));
});

test("a view of an index does not find text that is added to the index later", () => {
  const index = new SourceIndex(KEY);
  const before = viewSources(index, () => true);
  index.add({ which: "person" }, "ada@example.com");
  expect(before.judge("ada@example.com", [PERSON])).toBe("none");
  expect(viewSources(index, () => true).judge("ada@example.com", [PERSON])).toBe("strong");
});
