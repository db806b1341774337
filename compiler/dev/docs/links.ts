// Changes links to files of the checkout into links to pages of the site. A link to another file becomes plain text,
// because the site does not contain source files.

import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type { SitePage } from "./page.ts";

/** A link without an existing target. */
interface DeadLink {
  readonly page: string;
  readonly target: string;
  readonly reason: string;
}

interface LinkedPages {
  readonly pages: readonly SitePage[];
  readonly dead: readonly DeadLink[];
}

/** Matches code within a line, or a link. The text of a link may be code. */
const CODE_OR_LINK = /(`+)(?!`)[^\n]*?[^`]\1(?!`)|!?\[(?<words>(?:[^\]\\]|\\.)*)\]\((?<link>[^()\s]*)\)/g;
const BLOCK = /^(`{3,}|~{3,}).*\n[\s\S]*?^\1[`~]*[ \t]*$/gm;

/**
 * Returns the pages with their links changed to links of the site, and the links whose file, page or heading does not
 * exist.
 */
export function linkPages(checkout: string, pages: readonly SitePage[]): LinkedPages {
  const bySource = new Map(pages.flatMap((page) => (page.source === "" ? [] : [[page.source, page] as const])));
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const headings = new Map(pages.map((page) => [page.path, readAnchors(page.text)]));
  const dead: DeadLink[] = [];

  const find = (page: SitePage, target: string): SitePage | "file" | undefined => {
    if (page.linksFrom === "") return byPath.get(posix.join(posix.dirname(page.path), target));
    const path = posix.normalize(posix.join(posix.dirname(page.linksFrom), decodeURI(target))).replace(/\/$/, "");
    const found = bySource.get(path) ?? bySource.get(posix.join(path, "README.md"));
    return found ?? (!path.startsWith("..") && existsSync(join(checkout, path)) ? "file" : undefined);
  };

  const rewrite = (page: SitePage, whole: string, words: string, link: string): string => {
    if (/^[a-z]+:/.test(link)) return whole;
    if (whole.startsWith("!")) {
      const isThere = page.linksFrom !== "" && find(page, link) === "file";
      if (!isThere) dead.push({ page: page.path, target: link, reason: "there is no such picture" });
      return whole;
    }
    const [target = "", anchor = ""] = link.split("#", 2);
    const found = target === "" ? page : find(page, target);
    if (found === undefined) {
      dead.push({ page: page.path, target: link, reason: "there is no such file or page" });
      return words;
    }
    if (found === "file") return words;
    if (anchor !== "" && headings.get(found.path)?.has(anchor) !== true)
      dead.push({ page: page.path, target: link, reason: `${found.path} has no such heading` });
    const hash = anchor === "" ? "" : `#${anchor}`;
    const named = words === target ? found.title : words;
    return found === page ? `[${words}](${hash})` : `[${named}](/${found.path}${hash})`;
  };

  const linked = pages.map((page) => {
    const text = changeProse(page.text, (prose) =>
      changeLinks(prose, (whole, words, link) => rewrite(page, whole, words, link)),
    );
    return { ...page, text };
  });
  return { pages: linked, dead };
}

/** Applies a change to the text between the blocks of code of a page. */
export function changeProse(text: string, change: (prose: string) => string): string {
  let result = "";
  let at = 0;
  for (const { 0: block, index } of text.matchAll(BLOCK)) {
    result += change(text.slice(at, index)) + block;
    at = index + block.length;
  }
  return result + change(text.slice(at));
}

/** Applies a change to the links and pictures of prose; code stays unchanged. */
function changeLinks(prose: string, change: (whole: string, words: string, link: string) => string): string {
  let result = "";
  let at = 0;
  for (const { 0: whole, index, groups } of prose.matchAll(CODE_OR_LINK)) {
    const { words, link } = groups ?? {};
    const isLink = words !== undefined && link !== undefined;
    result += prose.slice(at, index) + (isLink ? change(whole, words, link) : whole);
    at = index + whole.length;
  }
  return result + prose.slice(at);
}

/** Returns the anchors of a page's headings. */
function readAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.replace(BLOCK, "").matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = makeAnchor(heading.replace(/\[((?:[^\]\\]|\\.)*)\]\([^)]*\)/g, "$1"));
    for (let count = 0; ; count += 1) {
      const anchor = count === 0 ? slug : `${slug}-${count}`;
      if (anchors.has(anchor)) continue;
      anchors.add(anchor);
      break;
    }
  }
  return anchors;
}

/** Returns the anchor of a heading in the form of code hosts, so that links are the same in the checkout and on the site. */
export function makeAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}
