// capc import gemini: reviews a settings.json or a policy file of Gemini CLI, and converts it to a page. The file is
// untrusted: the caller bounds its size, and the reader bounds its depth and number of values.

import type { SourceText } from "../../../../lang/text/index.ts";
import { FindingList } from "../findings.ts";
import type { ImportedSettings } from "../imported.ts";
import { renderPage } from "../page.ts";
import { readJson5 } from "../reading/json5.ts";
import { refuseAt, refuseWrongList } from "../reading/located.ts";
import { readToml } from "../reading/toml.ts";
import { isObject } from "../value.ts";
import { listDecidingLists } from "./entries.ts";
import { collectSettingFindings } from "./findings.ts";
import { decideBySettings } from "./policy.ts";
import { collectRuleFindings } from "./rule-findings.ts";
import { decideByRules, readRules } from "./rules.ts";

/** Imports settings, or rules if the name of the file ends in `.toml`. The caller has bounded the size of `source`. */
export function importGemini(source: SourceText): ImportedSettings {
  return source.path.endsWith(".toml") ? importRules(source) : importSettings(source);
}

function importSettings(source: SourceText): ImportedSettings {
  const read = readJson5(source);
  if (!read.ok) return read;
  const { value, placeOf } = read;
  if (!isObject(value)) return refuseAt(source, 0, "settings are one object");
  const refused = refuseWrongList(source, read, listDecidingLists(value));
  if (refused !== undefined) return refused;
  const policy = decideBySettings(value);
  const found = new FindingList(value, placeOf);
  collectSettingFindings(value, found);
  return { ok: true, policy, page: renderPage(policy), findings: found.list() };
}

function importRules(source: SourceText): ImportedSettings {
  const read = readToml(source);
  if (!read.ok) return read;
  const rules = readRules(read.value);
  if (!rules.ok) return refuseAt(source, read.placeOf(rules.path).start, rules.reason);
  const policy = decideByRules(rules.value);
  const found = new FindingList(read.value, read.placeOf);
  collectRuleFindings(rules.value, found);
  return { ok: true, policy, page: renderPage(policy), findings: found.list() };
}
