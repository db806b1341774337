// Configuration of VitePress: the menu, syntax colours of the language, a search without a network, and anchors in the
// form that code hosts use.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeAnchor } from "./links.ts";

const SOURCES = join(import.meta.dirname, "../../../build/docs/pages");
const GRAMMAR = join(import.meta.dirname, "../../../lang/spec/cap.tmLanguage.json");

export default {
  title: "capc",
  description: "The compiler for agent operating systems",
  lang: "en",
  cleanUrls: false,
  ignoreDeadLinks: false,
  lastUpdated: false,
  markdown: {
    // The pages are plain Markdown, so HTML elements in them are shown as text.
    html: false,
    languages: [{ ...JSON.parse(readFileSync(GRAMMAR, "utf8")), name: "cap" }],
    anchor: { slugify: makeAnchor },
  },
  themeConfig: {
    nav: [
      { text: "Begin", link: "/start" },
      { text: "Language", link: "/language/index" },
      { text: "Messages", link: "/messages/index" },
    ],
    sidebar: JSON.parse(readFileSync(join(SOURCES, ".vitepress/menu.json"), "utf8")),
    outline: { level: [2, 3] },
    search: { provider: "local" },
  },
};
