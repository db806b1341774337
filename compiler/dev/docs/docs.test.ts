import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readDiagnosticPages } from "../../cli/diagnostic-pages.ts";
import { collectPages } from "./collect.ts";
import { linkPages, makeAnchor } from "./links.ts";
import { createMenu } from "./menu.ts";
import type { SitePage } from "./page.ts";
import { linkTerms } from "./terms.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const PAGES = await collectPages(CHECKOUT);

test("no page has a dead link", () => {
  expect(linkPages(CHECKOUT, PAGES).dead).toEqual([]);
});

test("each page of the checkout is on the site once, and in the menu", () => {
  const paths = PAGES.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  const menu = JSON.stringify(createMenu(PAGES));
  expect(paths.filter((path) => path !== "index" && !menu.includes(`"link":"/${path}"`))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(["start", "threats", "language/session", "library/reference"]));
  expect(paths.filter((path) => path.startsWith("rooms/")).length).toBeGreaterThan(100);
});

test("every diagnostic code has a page with an example page and its report", async () => {
  const codes = (await readDiagnosticPages()).map(({ code }) => code);
  const texts = new Map(PAGES.map(({ path, text }) => [path, text]));
  expect(codes.filter((code) => !texts.has(`messages/${code}`))).toEqual([]);
  expect(texts.get("messages/strong-unsound")).toMatch(/## Reported: `bad.cap`[\s\S]*```text\nwarning\[/);
  expect(texts.get("messages/index")).toContain("| [`strong-unsound`](strong-unsound) | warning | ");
});

function page(path: string, text: string, source = ""): SitePage {
  return { path, title: "One", group: "Start", source, linksFrom: source, text };
}

const readLinks = (...pages: readonly SitePage[]) => {
  const { pages: linked, dead } = linkPages(CHECKOUT, pages);
  return { text: linked[0]?.text, dead: dead.map(({ target, reason }) => `${target}: ${reason}`) };
};

test("links to pages become links of the site, and links to other files become text", () => {
  const other = page("language/let", "# let\n\n## Two `sets`\n", "lang/spec/let.md");
  const from = (text: string) => readLinks(page("start", text, "README.md"), other);
  expect(from("[it](lang/spec/let.md) [`let`](lang/spec/let.md#two-sets)").text).toBe(
    "[it](/language/let) [`let`](/language/let#two-sets)",
  );
  expect(from("[lang/spec/let.md](lang/spec/let.md), [make](Makefile), [x](https://example.org)").text).toBe(
    "[One](/language/let), make, [x](https://example.org)",
  );
  expect(from("```md\n[a](none.md)\n```\n`[b](none.md)`")).toEqual({
    text: "```md\n[a](none.md)\n```\n`[b](none.md)`",
    dead: [],
  });
});

test("a link to a missing file, page or heading is reported as dead", () => {
  const other = page("language/let", "# let\n", "lang/spec/let.md");
  const links = "[a](none.md) [b](lang/spec/let.md#none) [c](#none) [d](../outside)";
  expect(readLinks(page("start", links, "README.md"), other).dead).toEqual([
    "none.md: there is no such file or page",
    "lang/spec/let.md#none: language/let has no such heading",
    "#none: start has no such heading",
    "../outside: there is no such file or page",
  ]);
});

test("the first mention of a term links to the glossary, and code, headings and links stay unchanged", () => {
  const glossary = page("glossary", "# Glossary\n\n### policy tables\nx\n\n### rule\ny\n", "GLOSSARY.md");
  const text = "# rule\n\n`rule` [a rule](/b) subrule: rules of policy tables, and a rule.\n";
  const [linked] = linkTerms([{ ...page("language/x", text), group: "Language" }, glossary]);
  expect(linked?.text).toBe(
    "# rule\n\n`rule` [a rule](/b) subrule: [rules](/glossary#rule) of [policy tables](/glossary#policy-tables), and a rule.\n",
  );
});

test("the glossary is sorted and contains each term once", () => {
  const text = PAGES.find(({ path }) => path === "glossary")?.text ?? "";
  const terms = [...text.matchAll(/^### (.+)$/gm)].map(([, term = ""]) => term);
  expect(terms.length).toBeGreaterThan(40);
  expect(terms).toEqual([...new Set(terms)].sort());
});

test("anchors follow the rules of code hosts, and a repeated anchor gets a number", () => {
  expect(makeAnchor("What `capc diff` says, and why?")).toBe("what-capc-diff-says-and-why");
  expect(readLinks(page("a", "# One\n## Two\n## Two\n[x](#two-1)")).dead).toEqual([]);
});
