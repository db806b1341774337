// Links the first mention of each term of the glossary on a page to the glossary.

import { changeProse, makeAnchor } from "./links.ts";
import type { SitePage } from "./page.ts";

const GLOSSARY = "glossary";
/** Groups whose pages people read before they know the terms. */
const LINKED: readonly SitePage["group"][] = ["Tutorials", "Language"];

/** Returns the pages with links to the glossary; without a glossary, the pages are unchanged. */
export function linkTerms(pages: readonly SitePage[]): readonly SitePage[] {
  const glossary = pages.find(({ path }) => path === GLOSSARY);
  if (glossary === undefined) return pages;
  const terms = [...glossary.text.matchAll(/^### (.+)$/gm)].map(([, term = ""]) => term);
  return pages.map((page) => (LINKED.includes(page.group) ? { ...page, text: linkMentions(page.text, terms) } : page));
}

function linkMentions(text: string, terms: readonly string[]): string {
  const left = new Set(terms);
  // Longer terms come first, so that `policy tables` is not linked as `policy`. Headings, code and links stay
  // unchanged.
  const names = [...terms].sort((one, other) => other.length - one.length).join("|");
  const part = new RegExp(
    `^#.*$|^\\|.*\\|$|(\`+)(?!\`)[^\\n]*?[^\`]\\1(?!\`)|\\[[^\\]]*\\]\\([^)]*\\)|(?<![\\w-])(${names})s?(?![\\w-])`,
    "gm",
  );
  return changeProse(text, (prose) =>
    prose.replace(part, (whole, _code, term: string | undefined) => {
      if (term === undefined || !left.delete(term)) return whole;
      return `[${whole}](/${GLOSSARY}#${makeAnchor(term)})`;
    }),
  );
}
