// Collects the pages of the site from pages of the checkout. Only the tutorials are written for the site itself.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { type DiagnosticPage, readDiagnosticPages } from "../../cli/diagnostic-pages.ts";
import { type Group, readTitle, type SitePage } from "./page.ts";

/** Pages of the checkout whose path on the site does not follow from their path in the checkout. */
const PLACED: readonly (readonly [source: string, path: string, group: Group])[] = [
  ["README.md", "start", "Start"],
  ["GLOSSARY.md", "glossary", "Start"],
  ["MAP.md", "map", "Start"],
  ["LIMITS.md", "limits", "Start"],
  ["compiler/cli/COMMANDS.md", "commands", "Start"],
  ["CHANGES.md", "changes", "Start"],
  ["CONTRIBUTING.md", "contributing", "Start"],
  ["THIRD-PARTY.md", "third-party", "Start"],
  ["engine/THREATS.md", "threats", "Start"],
  ["stdlib/REFERENCE.md", "library/reference", "Library"],
  ["stdlib/README.md", "library/index", "Library"],
  ["lang/spec/README.md", "language/index", "Language"],
];
/** Folder of the tutorials, and of their pictures. */
export const TUTORIALS = "compiler/dev/docs/tutorials";
/** Folders whose READMEs become pages about messages. */
const OF_MESSAGES = /^compiler\/rules\/(?:laws|advice|verdicts|pages)\/[^/]+\//;
const ROOMS = ["compiler", "engine", "examples", "lang", "stdlib", "targets"];

/** Returns all pages, in the order of groups and paths. Links are as in the sources of the pages. */
export async function collectPages(checkout: string): Promise<readonly SitePage[]> {
  const read = (source: string, path: string, group: Group): SitePage => {
    const text = readFileSync(join(checkout, source), "utf8");
    return { path, title: readTitle(text, path), group, source, linksFrom: source, text };
  };
  const placed = PLACED.filter(([source]) => existsSync(join(checkout, source))).map(([source, path, group]) =>
    read(source, path, group),
  );
  const taken = new Set(placed.map(({ source }) => source));
  const find = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: checkout })
      .filter((source) => !taken.has(source) && !source.includes("node_modules/"))
      .sort();
  const nameOf = (source: string): string => source.slice(source.lastIndexOf("/") + 1, -".md".length);
  const tutorials = find(`${TUTORIALS}/*.md`).map((source) => read(source, `tutorials/${nameOf(source)}`, "Tutorials"));
  const language = find("lang/spec/*.md").map((source) => read(source, `language/${nameOf(source)}`, "Language"));
  const rooms = find(`{${ROOMS.join(",")}}/**/*.md`)
    .filter((source) => !source.startsWith("lang/spec/") && !source.startsWith(TUTORIALS) && !OF_MESSAGES.test(source))
    .map((source) => read(source, `rooms/${source.replace(/(?:\/README)?\.md$/, "")}`, "Rooms"));
  const messages = renderMessages(checkout, await readDiagnosticPages());
  const pages = [...placed, ...tutorials, ...language, ...messages, ...rooms];
  return [renderHome(pages), ...pages].sort(compareByPath);
}

/** Compares pages by path. Pages named `index` or `start` come before all other pages. */
function compareByPath({ path: one }: SitePage, { path: other }: SitePage): number {
  const rank = (path: string): string => `${/(?:^|\/)(?:index|start)$/.test(path) ? 0 : 1}${path}`;
  return compareCodeUnits(rank(one), rank(other));
}

/**
 * Returns one page for each code, and one page that lists all codes. If a rule has several codes, the page of each code
 * contains the rule's README.
 */
function renderMessages(checkout: string, messages: readonly DiagnosticPage[]): readonly SitePage[] {
  const pages = messages.map((message): SitePage => {
    const { code, folder, readme } = message;
    // If a rule reports several codes, the page of each code contains the README of the rule. Links to this README lead
    // to the page of the first code.
    const isFirst = messages.find((other) => other.folder === folder)?.code === code;
    const linksFrom = readme === undefined ? "" : `${folder}/README.md`;
    const place = { path: `messages/${code}`, title: code, group: "Messages" } as const;
    return { ...place, source: isFirst ? linksFrom : "", linksFrom, text: renderMessage(checkout, message) };
  });
  const rows = messages.map(
    ({ code, severity, because }) =>
      `| [\`${code}\`](${code}) | ${severity} | ${because.join(" ").replaceAll("|", "\\|")} |`,
  );
  const text = `# Messages\n\nEvery error and every advice of \`capc\` has a code. \`capc explain CODE\` shows the same page in the terminal.\n\n| code | | why |\n|---|---|---|\n${rows.join("\n")}\n`;
  const place = { path: "messages/index", title: "Messages", group: "Messages", source: "", linksFrom: "" } as const;
  return [{ ...place, text }, ...pages];
}

function renderMessage(
  checkout: string,
  { code, folder, severity, because, readme, examples }: DiagnosticPage,
): string {
  const words = readme?.replace(/^# .+\n+/, "") ?? "";
  const shown = examples.map(({ name, text }) => {
    const heading = name.startsWith("good") ? "Accepted" : "Reported";
    const said = join(checkout, folder, name.replace(/\.cap$/, ".txt"));
    const answer = existsSync(said) ? `\n\`\`\`text\n${readFileSync(said, "utf8").trimEnd()}\n\`\`\`\n` : "";
    return `## ${heading}: \`${name}\`\n\n\`\`\`cap\n${text.trimEnd()}\n\`\`\`\n${answer}`;
  });
  return [`# ${code}\n\n${severity}: ${because.join(" ")}\n`, words, ...shown].filter((part) => part !== "").join("\n");
}

const HOME_HEAD = `# capc

The compiler for agent operating systems. One page says which tools an agent may call, behind which gates, and what it never
sees. \`capc build\` proves what the page says, and makes a machine that holds it.
`;

function renderHome(pages: readonly SitePage[]): SitePage {
  const tutorials = pages.filter(({ group }) => group === "Tutorials");
  const links = [
    ["Begin", "start"],
    ["The command line", "commands"],
    ["The language", "language/index"],
    ["The standard library", "library/reference"],
    ["Messages and codes", "messages/index"],
    ["Threats, and what shows each barrier", "threats"],
    ["Limits", "limits"],
    ["How to contribute", "contributing"],
    ["Parts of others, and their licences", "third-party"],
  ];
  const text = [
    HOME_HEAD,
    ...(tutorials.length === 0
      ? []
      : ["## By job\n", ...tutorials.map(({ title, path }) => `- [${title}](${path})`), ""]),
    "## Read\n",
    ...links.map(([title, path]) => `- [${title}](${path})`),
  ];
  return { path: "index", title: "capc", group: "Start", source: "", linksFrom: "", text: `${text.join("\n")}\n` };
}
