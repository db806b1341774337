import { createHash } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { exampleSubject } from "../../cli/report/testing/subjects.ts";
import { LETTER } from "./graph/boxes.ts";
import { reportPage, type Subject } from "./index.ts";
import { TEMPLATES } from "./parts.ts";
import { renderData } from "./template.ts";
import { addAudit } from "./testing/audited.ts";
import { spoiled } from "./testing/spoiled.ts";

let subject: Subject;
/** A subject of a report with the same parts as `subject`, but with fewer items in each part. */
let small: Subject;
let html: string;
beforeAll(async () => {
  [subject, small] = [await exampleSubject("tour"), addAudit(await exampleSubject("first-agent"))];
  html = reportPage(subject);
});

/** Returns the tags of a page in order, without attribute values. Text in a report must never change these tags. */
function tagsOf(page: string): readonly string[] {
  const markup = page
    .replace(/(<script[^>]*>)[\s\S]*?<\/script>/g, "$1</script>")
    .replace(/<style>[\s\S]*?<\/style>/, "")
    // The `span` elements around the words of a header depend on its text, so they are removed.
    .replace(/<span class="whole">([^<]*)<\/span>/g, "$1");
  return [...markup.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, ""));
}

function attributes(page: string, name: string): readonly string[] {
  return [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
}

test("two reports about the same page have the same bytes", () => {
  expect(reportPage(subject)).toBe(html);
});

test("an embedder is listed with the backend that names it", () => {
  const backends = small.tables.backends.map((backend) => ({ ...backend, embedder: "minilm" }));
  const page = reportPage({ ...small, tables: { ...small.tables, backends } });
  expect(page.match(/<small>embedder minilm<\/small>/g)).toHaveLength(backends.length);
  expect(reportPage(small)).not.toContain("<small>embedder");
});

test("the page has no external links, and every internal link has a target", () => {
  const links = [...attributes(html, "href"), ...attributes(html, "src")];
  const ids = attributes(html, "id");
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !link.startsWith("#") && link !== "data:,")).toEqual([]);
  expect(links.filter((link) => link.startsWith("#") && !ids.includes(link.slice(1)))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(html).not.toMatch(/ style="| on[a-z]+="/);
});

test("every text and box of a drawing is within its view box", () => {
  const drawings = [...html.matchAll(/<svg class="(?:layers|stack)".*? viewBox="([^"]*)"[\s\S]*?<\/svg>/g)];
  expect(drawings.length).toBe(4);
  for (const [markup, box = ""] of drawings) {
    const [left = 0, top = 0, width = 0, height = 0] = box.split(" ").map(Number);
    for (const [, attributes = "", text = ""] of markup.matchAll(/<(?:text|rect) ([^>]*?)\/?>([^<]*)/g)) {
      const get = (name: string): number => Number(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? 0);
      const wide = get("width") || text.length * LETTER;
      const from = get("x") - (attributes.includes('"middle"') ? wide / 2 : 0);
      expect(from >= left && from + wide <= left + width).toBe(true);
      expect(get("y") >= top && get("y") + get("height") <= top + height).toBe(true);
    }
  }
});

test("the content policy allows the page's styles and scripts by digest, and no network address", () => {
  const [policy = ""] = attributes(html, "content");
  const parts = [...html.matchAll(/<(?:style|script type="module")>([\s\S]*?)<\/(?:style|script)>/g)].map(
    ([, text = ""]) => `&#x27;sha256-${createHash("sha256").update(text).digest("base64")}&#x27;`,
  );
  expect(parts.length).toBe(5);
  for (const digest of parts) expect(policy.replaceAll("&#x3D;", "=")).toContain(digest);
  expect(policy).not.toMatch(/http|unsafe|\*/);
});

test("text of a page never becomes markup", () => {
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

test("everything except styles, scripts and data is escaped", () => {
  const bare = [...TEMPLATES].flatMap(([name, text]) =>
    [...text.matchAll(/{{{.*?}}}|{{&/g)].map(([one]) => `${name}: ${one}`),
  );
  expect(bare).toEqual(["page: {{{style}}}", "page: {{{data}}}", "page: {{{this}}}"]);
});

test("invisible characters in a name are spelled out, in text and in the script's data", () => {
  const page = reportPage(spoiled(subject, "\u202eevil"));
  expect(page).not.toContain("\u202e");
  expect(page).toContain("‹U+202E›evil");
});

test("JSON in HTML keeps its value and has no markup characters", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = renderData(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(text).not.toMatch(/[<>&]/);
    }),
  );
});
