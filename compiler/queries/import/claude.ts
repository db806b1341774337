// capc import claude: a settings file of Claude Code, judged, and as far as it is about files a page. The file is anybody's:
// it is bounded before it is looked at, and read by the reader that pages in YAML and JSON have.

import { type Diagnostic, inPageOrder } from "../../../lang/diagnostics/index.ts";
import type { SourceText, Span } from "../../../lang/text/index.ts";
import { readYaml } from "../exchange/index.ts";
import { KNOWN_KEYS } from "./known-keys.ts";
import { pageOf } from "./page.ts";
import { LISTS, type Rule, ruleFrom } from "./rule.ts";
import { findingsOf } from "./rule-findings.ts";
import { notSettings } from "./rules/not-settings/codes.ts";
import { settingsRuleInert } from "./rules/settings-rule-inert/codes.ts";
import { inertEntries, openSettings, unsayableSettings } from "./setting-findings.ts";
import { unreadSettings } from "./unread.ts";
import { at, isObject, under } from "./value.ts";

/** Comparing rules with each other takes their square; nobody reads so many. */
const MOST_RULES = 2000;
/** Of one object: each that is unknown is held against all that are known. */
const MOST_KEYS = 2000;

type ImportedSettings =
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
  if (!isObject(value)) return refused([], "settings are one object");
  const permissions = at(value, "permissions") ?? {};
  if (!isObject(permissions)) return refused(["permissions"], "permissions are an object");
  for (const place of KNOWN_KEYS.keys()) {
    const path = place === "" ? [] : place.split(".");
    const keys = under(value, path);
    if (isObject(keys) && Object.keys(keys).length > MOST_KEYS)
      return refused(path, `there are more than ${MOST_KEYS} keys in one object`);
  }
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
  const sandbox = at(value, "sandbox");
  const isSandboxed = at(sandbox, "enabled") === true;
  const found = findingsOf(rules, {
    isSandboxed: isSandboxed && under(sandbox, ["filesystem", "disabled"]) !== true,
    isAskedInSandbox: !isSandboxed || at(sandbox, "autoAllowBashIfSandboxed") === false,
  });
  const inert = new Set(found.filter(({ code }) => code === settingsRuleInert.code).map(({ span }) => span));
  const mode = at(permissions, "defaultMode");
  const { page, lost } = pageOf(
    rules.filter(({ span, list }) => list !== "allow" || !inert.has(span)),
    typeof mode === "string" ? mode : "default",
  );
  const findings = [
    ...strange,
    ...found,
    ...unreadSettings(value, placeOf, /(?:^|\/)managed-settings(?:\.json$|\.d\/)/.test(source.path)),
    ...openSettings(value, placeOf),
    ...inertEntries(value, placeOf),
    ...unsayableSettings(value, placeOf),
    ...lost,
  ];
  return { ok: true, page, findings: inPageOrder(findings) };
}
