// capc import claude: reviews a settings file of Claude Code, and converts its rules to a page. The file is untrusted.
// The caller bounds its size, and the reader for pages in YAML and JSON reads it.

import { type Diagnostic, sortDiagnostics } from "../../../../lang/diagnostics/index.ts";
import type { SourceText, Span } from "../../../../lang/text/index.ts";
import { readYaml } from "../../exchange/index.ts";
import type { ImportedSettings } from "../imported.ts";
import { renderPage } from "../page.ts";
import { notSettings } from "../rules/not-settings/codes.ts";
import { settingsRuleInert } from "../rules/settings-rule-inert/codes.ts";
import { getPath, getProperty, isObject } from "../value.ts";
import { KNOWN_KEYS } from "./known-keys.ts";
import { decideByRules } from "./policy.ts";
import { LISTS, parseRule, type Rule } from "./rule.ts";
import { collectRuleFindings } from "./rule-findings.ts";
import { findInertEntries, findUnsayableSettings, openSettings } from "./setting-findings.ts";
import { findUnreadSettings } from "./unread-settings.ts";

/** Maximum number of rules. It is limited, because all pairs of rules are compared. */
const MOST_RULES = 2000;
/** Maximum number of keys of one object. It is limited, because each unknown key is compared with every known key. */
const MOST_KEYS = 2000;

const FORM = "write one JSON object, in which `permissions` has the lists of texts `allow`, `ask` and `deny`";

/** Imports settings of Claude Code. The caller has bounded the size of `source`. */
export function importClaude(source: SourceText): ImportedSettings {
  const read = readYaml(source);
  if (!read.ok) return read;
  const { value, placeOf } = read;
  const refuse = (path: readonly (string | number)[], reason: string): ImportedSettings => ({
    ok: false,
    diagnostics: [notSettings.at(placeOf(path), { reason, instead: FORM })],
  });
  if (!isObject(value)) return refuse([], "settings are one object");
  const permissions = getProperty(value, "permissions") ?? {};
  if (!isObject(permissions)) return refuse(["permissions"], "permissions are an object");
  for (const place of KNOWN_KEYS.keys()) {
    const path = place === "" ? [] : place.split(".");
    const keys = getPath(value, path);
    if (isObject(keys) && Object.keys(keys).length > MOST_KEYS)
      return refuse(path, `there are more than ${MOST_KEYS} keys in one object`);
  }
  const rules: Rule[] = [];
  const strange: Diagnostic[] = [];
  for (const list of LISTS) {
    const texts = getProperty(permissions, list) ?? [];
    if (!Array.isArray(texts)) return refuse(["permissions", list], `${list} is a list of texts`);
    for (const [index, text] of texts.entries()) {
      const path = ["permissions", list, index];
      if (typeof text !== "string") return refuse(path, "a rule is a text");
      if (rules.length + strange.length >= MOST_RULES) return refuse(path, `there are more than ${MOST_RULES} rules`);
      const place: Span = placeOf(path);
      const rule = parseRule(list, text, place);
      if (rule === undefined)
        strange.push(
          settingsRuleInert.at(place, { rule: text, why: "it is no rule", instead: "write Tool, or Tool(what)" }),
        );
      else rules.push(rule);
    }
  }
  const sandbox = getProperty(value, "sandbox");
  const isSandboxed = getProperty(sandbox, "enabled") === true;
  const found = collectRuleFindings(rules, {
    isSandboxed: isSandboxed && getPath(sandbox, ["filesystem", "disabled"]) !== true,
    isAskedInSandbox: !isSandboxed || getProperty(sandbox, "autoAllowBashIfSandboxed") === false,
  });
  const inert = new Set(found.filter(({ code }) => code === settingsRuleInert.code).map(({ span }) => span));
  const mode = getProperty(permissions, "defaultMode");
  const { policy, lost } = decideByRules(
    rules.filter(({ span, list }) => list !== "allow" || !inert.has(span)),
    {
      mode: typeof mode === "string" ? mode : "default",
      isDenyingQuestions: getProperty(permissions, "denyInsteadOfPrompting") === true,
    },
  );
  const findings = [
    ...strange,
    ...found,
    ...findUnreadSettings(
      value,
      placeOf,
      /(?:^|\/)managed-settings(?:\.json$|\.d\/)/.test(source.path) ? "managed" : "ordinary",
    ),
    ...openSettings(value, placeOf),
    ...findInertEntries(value, placeOf),
    ...findUnsayableSettings(value, placeOf),
    ...lost,
  ];
  return { ok: true, policy, page: renderPage(policy), findings: sortDiagnostics(findings) };
}
