// capc import claude: a settings file of Claude Code, judged, and as far as it is about files a page. The file is anybody's:
// it is bounded before it is looked at, and read by the reader that pages in YAML and JSON have.

import { type Diagnostic, inPageOrder } from "../../lang/diagnostics/index.ts";
import type { SourceText, Span } from "../../lang/text/index.ts";
import { readYaml } from "../exchange/index.ts";
import { pageOf } from "./page.ts";
import { LISTS, type Rule, ruleFrom } from "./rule.ts";
import { findingsOf } from "./rule-findings.ts";
import { notSettings } from "./rules/not-settings/codes.ts";
import { settingsRuleInert } from "./rules/settings-rule-inert/codes.ts";
import { at, openSettings, unsayableSettings } from "./setting-findings.ts";

/** Comparing rules with each other takes their square; nobody reads so many. */
const MOST_RULES = 2000;

export type ImportedSettings =
  | { readonly ok: true; readonly page: string; readonly findings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** `source` is bounded in size already. */
export function importClaude(source: SourceText): ImportedSettings {
  const read = readYaml(source);
  if (!read.ok) return read;
  const { value, placeOf } = read;
  const refused = (path: readonly (string | number)[], reason: string): ImportedSettings => ({
    ok: false,
    diagnostics: [notSettings.at(placeOf(path), { reason })],
  });
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refused([], "settings are one object");
  const permissions = at(value, "permissions") ?? {};
  if (typeof permissions !== "object" || permissions === null || Array.isArray(permissions))
    return refused(["permissions"], "permissions are an object");
  const rules: Rule[] = [];
  const strange: Diagnostic[] = [];
  for (const list of LISTS) {
    const texts = at(permissions, list) ?? [];
    if (!Array.isArray(texts)) return refused(["permissions", list], `${list} is a list of texts`);
    for (const [index, text] of texts.entries()) {
      const path = ["permissions", list, index];
      if (typeof text !== "string") return refused(path, "a rule is a text");
      if (rules.length + strange.length >= MOST_RULES) return refused(path, `there are more than ${MOST_RULES} rules`);
      const place: Span = placeOf(path);
      const rule = ruleFrom(list, text, place);
      if (rule === undefined)
        strange.push(
          settingsRuleInert.at(place, { rule: text, why: "it is no rule", instead: "write Tool, or Tool(what)" }),
        );
      else rules.push(rule);
    }
  }
  const found = findingsOf(rules);
  const inert = new Set(found.filter(({ code }) => code === settingsRuleInert.code).map(({ span }) => span));
  const mode = at(permissions, "defaultMode");
  const { page, lost } = pageOf(
    rules.filter(({ span, list }) => list !== "allow" || !inert.has(span)),
    typeof mode === "string" ? mode : "default",
  );
  const findings = [
    ...strange,
    ...found,
    ...openSettings(value, placeOf),
    ...unsayableSettings(value, placeOf),
    ...lost,
  ];
  return { ok: true, page, findings: inPageOrder(findings) };
}
