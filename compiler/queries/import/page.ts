// Converts rules about files to a page: one folder, a session, and its rules for reading and writing. The page allows nothing that the
// settings do not: a rule that cannot be expressed as a folder makes the whole tool equally strict.

import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { isNamedBy, isServer, type Rule } from "./rule.ts";
import { settingsUnsayable } from "./rules/settings-unsayable/codes.ts";

type Mode = "auto" | "consent" | "forbidden";

const STRICTNESS: readonly Mode[] = ["auto", "consent", "forbidden"];
const pickStricter = (one: Mode, other: Mode): Mode =>
  STRICTNESS.indexOf(one) < STRICTNESS.indexOf(other) ? other : one;

/** Tools that list files, in addition to those that read them. */
const LISTING = ["Glob", "LS"];

interface Written {
  /** Text of the page before `capc fmt`. */
  readonly page: string;
  readonly lost: readonly Diagnostic[];
}

/** Renders the page. `mode` is `permissions.defaultMode`; `rules` are those that are not inert. */
export function renderPage(rules: readonly Rule[], mode: string): Written {
  const lost: Diagnostic[] = [];
  const changes: Mode =
    mode === "acceptEdits" ? "auto" : mode === "plan" || mode === "dontAsk" ? "forbidden" : "consent";
  const reads = rules.filter((rule) => isOf(rule, ["Read"]));
  const listings = rules.filter((rule) => rule.what === undefined && isOf(rule, LISTING));
  const writes = rules.filter((rule) => isOf(rule, ["Edit", "Write"]) && (mode !== "plan" || rule.list !== "allow"));
  const asked = mode === "dontAsk" ? "forbidden" : "consent";
  const lines = [
    ...renderLines("read", { base: "auto", asked }, reads, lost),
    ...renderLines("list", { base: "auto", asked }, [...reads, ...listings], []),
    ...renderLines("write", { base: changes, asked: changes === "forbidden" ? "forbidden" : "consent" }, writes, lost),
    "forbidden Files.delete",
  ];
  for (const rule of rules) {
    const why = explainUnsayable(rule);
    if (why !== undefined) lost.push(settingsUnsayable.at(rule.span, { rule: rule.text, why, instead: "" }));
  }
  return { page: renderPageText(lines), lost };
}

const renderPageText = (
  lines: readonly string[],
): string => `/// What settings of Claude Code say of files, by capc import claude.
system imported version "0.1.0" {
  use std.tools

  service workspace : Files { state 64 MiB }

  backend canned { stub }

  session operator {
    kind operator
    models { auto canned }
    permit {
${lines.map((line) => `      ${line}\n`).join("")}    }
  }

  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

interface Otherwise {
  /** Mode if no rule applies. */
  readonly base: Mode;
  /** Mode of a rule that asks: `dontAsk` refuses what would need a question, and `plan` refuses every change. */
  readonly asked: Mode;
}

function renderLines(
  method: string,
  { base, asked }: Otherwise,
  rules: readonly Rule[],
  lost: Diagnostic[],
): readonly string[] {
  const wholes = rules.filter(({ what }) => what === undefined);
  const isDenied = wholes.some(({ list }) => list === "deny");
  const isAsked = wholes.some(({ list }) => list === "ask");
  const isAllowed = wholes.some(({ list }) => list === "allow");
  let whole: Mode = isDenied ? "forbidden" : isAsked ? asked : isAllowed ? "auto" : base;
  const folders = new Map<string, Mode>();
  for (const rule of rules.filter(({ what }) => what !== undefined)) {
    const folder = parseFolder(rule.what ?? "");
    const wanted = rule.list === "deny" ? "forbidden" : asked;
    // Only one folder can be looser than the rest, because the strictest of several lines counts.
    if (rule.list === "allow")
      lost.push(settingsUnsayable.at(rule.span, { rule: rule.text, why: ALLOWED, instead: "" }));
    else if (folder === undefined) {
      whole = pickStricter(whole, wanted);
      lost.push(
        settingsUnsayable.at(rule.span, {
          rule: rule.text,
          why: `it is no one place in the project: the tool is ${wanted} as a whole`,
          instead: "",
        }),
      );
    } else folders.set(folder, pickStricter(folders.get(folder) ?? "auto", wanted));
  }
  const strict = [...folders].filter(([, wanted]) => pickStricter(whole, wanted) !== whole);
  return strict.length === 0
    ? [`${whole} Files.${method}`]
    : filterOutermost(strict).map(
        ([folder, wanted]) => `${wanted} Files.${method} where path under ${JSON.stringify(folder)} else ${whole}`,
      );
}

const ALLOWED = "a folder is not opened alone: the rest of the settings holds in it too";

/** Returns the outermost folders: one inside another folder of the same mode has no effect. */
function filterOutermost(folders: readonly (readonly [string, Mode])[]): readonly (readonly [string, Mode])[] {
  return folders.filter(
    ([inner, wanted]) =>
      !folders.some(
        ([outer, other]) => outer !== inner && inner.startsWith(`${outer}/`) && pickStricter(wanted, other) === other,
      ),
  );
}

/**
 * Returns the folder of a pattern in the project: `src/**`, `./src/**`, `/src/**`, or one file such as `./.env` or `src/key`. Other
 * patterns may match anywhere in it.
 */
function parseFolder(pattern: string): string | undefined {
  const [, anchor = "", place, inside] = /^(\.\/|\/(?!\/))?([\w.-]+(?:\/[\w.-]+)*)(\/\*\*)?$/.exec(pattern) ?? [];
  if (place === undefined || place.split("/").some((name) => name === "." || name === "..")) return undefined;
  // As in gitignore, a name without a slash matches at any depth.
  return anchor !== "" || inside !== undefined || place.includes("/") ? `/${place}` : undefined;
}

/** Returns whether a rule is about one of these tools. A wildcard counts only if the rule makes stricter; in `allow` it is ignored. */
function isOf({ tool, list }: Rule, names: readonly string[]): boolean {
  if (!tool.includes("*")) return names.includes(tool);
  return list !== "allow" && names.some((name) => isNamedBy(tool, name));
}

function explainUnsayable(rule: Rule): string | undefined {
  if (isOf(rule, ["Read", "Edit", "Write"]) || (rule.what === undefined && isOf(rule, LISTING))) return undefined;
  if (isServer(rule)) return "a page takes a server as `use mcp` with the list of its tools";
  if (rule.tool === "Bash" || rule.tool === "PowerShell")
    return "an image has no shell: a tool of its own does one thing";
  if (rule.tool === "WebFetch" || rule.tool === "WebSearch")
    return "a page names addresses in the grant of a service of Fetch";
  return "a page has no such tool";
}
