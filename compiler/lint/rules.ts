import type { Law } from "../check/index.ts";
import { rule as principalUnused } from "./rules/principal-unused/rule.ts";
import { rule as ruleRedundant } from "./rules/rule-redundant/rule.ts";
import { rule as strayDoc } from "./rules/stray-doc/rule.ts";
import { rule as toolUnclassified } from "./rules/tool-unclassified/rule.ts";
import { rule as toolsNotCovered } from "./rules/tools-not-covered/rule.ts";

/** All advice by the name of its folder. */
export const ADVICE: Readonly<Record<string, Law>> = {
  "principal-unused": principalUnused,
  "rule-redundant": ruleRedundant,
  "stray-doc": strayDoc,
  "tool-unclassified": toolUnclassified,
  "tools-not-covered": toolsNotCovered,
};
