// Configuration of VitePress: the menu, the colours of the language, search without a network, and anchors as code hosts make them.

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
    // The pages are plain Markdown: what looks like an element in them is text.
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
