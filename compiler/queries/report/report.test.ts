import { createHash } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { exampleSubject } from "../../cli/report/testing/subjects.ts";
import { reportPage, type Subject } from "./index.ts";
import { TEMPLATES } from "./parts.ts";
import { renderData } from "./template.ts";
import { spoiled } from "./testing/spoiled.ts";

let subject: Subject;
/** Subject with the same parts, and less of each. */
let small: Subject;
let html: string;
beforeAll(async () => {
  [subject, small] = [await exampleSubject("tour"), await exampleSubject("first-agent")];
  html = reportPage(subject);
});

/** Returns the tags in their order without the values of attributes, which text can never change. */
function tagsOf(page: string): readonly string[] {
  const markup = page
    .replace(/(<script[^>]*>)[\s\S]*?<\/script>/g, "$1</script>")
    .replace(/<style>[\s\S]*?<\/style>/, "");
  return [...markup.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, ""));
}

function attributes(page: string, name: string): readonly string[] {
  return [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
}

test("the same subject gives the same bytes", () => {
  expect(reportPage(subject)).toBe(html);
});

test("an embedder is named with its backend", () => {
  const backends = small.tables.backends.map((backend) => ({ ...backend, embedder: "minilm" }));
  const page = reportPage({ ...small, tables: { ...small.tables, backends } });
  expect(page.match(/<small>embedder minilm<\/small>/g)).toHaveLength(backends.length);
  expect(reportPage(small)).not.toContain("<small>embedder");
});

test("the page has no external link and no dead link", () => {
  const links = [...attributes(html, "href"), ...attributes(html, "src")];
  const ids = attributes(html, "id");
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !link.startsWith("#") && link !== "data:,")).toEqual([]);
  expect(links.filter((link) => link.startsWith("#") && !ids.includes(link.slice(1)))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(html).not.toMatch(/ style="| on[a-z]+="/);
});

test("the content policy allows the styles and scripts of the page by their digests, and no address", () => {
  const [policy = ""] = attributes(html, "content");
  const parts = [...html.matchAll(/<(?:style|script type="module")>([\s\S]*?)<\/(?:style|script)>/g)].map(
    ([, text = ""]) => `&#x27;sha256-${createHash("sha256").update(text).digest("base64")}&#x27;`,
  );
  expect(parts.length).toBe(5);
  for (const digest of parts) expect(policy.replaceAll("&#x3D;", "=")).toContain(digest);
  expect(policy).not.toMatch(/http|unsafe|\*/);
});

test("no text of a page becomes markup, wherever it stands", () => {
  const plain = tagsOf(reportPage(spoiled(small, "x")));
  const pieces = [
    "<",
    ">",
    '"',
    "'",
    "`",
    "=",
    "&",
    "/",
    "{{",
    "}}",
    "</script>",
    "<!--",
    "-->",
    "]]>",
    "\u202e",
    "\n",
  ];
  const parts = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 4 }));
  const hostile = fc.array(parts, { minLength: 8, maxLength: 40 }).map((all) => `x${all.join("")}`);
  fc.assert(
    fc.property(hostile, (text) => {
      expect(tagsOf(reportPage(spoiled(small, text)))).toEqual(plain);
    }),
    { numRuns: 10 },
  );
});

test("only styles, scripts and data are not escaped", () => {
  const bare = [...TEMPLATES].flatMap(([name, text]) =>
    [...text.matchAll(/{{{.*?}}}|{{&/g)].map(([one]) => `${name}: ${one}`),
  );
  expect(bare).toEqual(["page: {{{style}}}", "page: {{{data}}}", "page: {{{this}}}"]);
});

test("invisible characters of a name are spelt out, in text and in the script's data", () => {
  const page = reportPage(spoiled(subject, "\u202eevil"));
  expect(page).not.toContain("\u202e");
  expect(page).toContain("‹U+202E›evil");
});

test("JSON that stands in HTML is the same JSON, and ends no element", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = renderData(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(text).not.toMatch(/[<>&]/);
    }),
  );
});
