import type { Law } from "../check/index.ts";
import { rule as autoOutbound } from "./rules/auto-outbound/rule.ts";
import { rule as blockEmpty } from "./rules/block-empty/rule.ts";
import { rule as consentTextShared } from "./rules/consent-text-shared/rule.ts";
import { rule as deadAuthority } from "./rules/dead-authority/rule.ts";
import { rule as declarationUnused } from "./rules/declaration-unused/rule.ts";
import { rule as deprecatedName } from "./rules/deprecated-name/rule.ts";
import { rule as docMissing } from "./rules/doc-missing/rule.ts";
import { rule as floorAlways } from "./rules/floor-always/rule.ts";
import { rule as folderMisread } from "./rules/folder-misread/rule.ts";
import { rule as grantPastLine } from "./rules/grant-past-line/rule.ts";
import { rule as hintStricter } from "./rules/hint-stricter/rule.ts";
import { rule as importUnused } from "./rules/import-unused/rule.ts";
import { rule as lineLoosened } from "./rules/line-loosened/rule.ts";
import { rule as modeNeverReached } from "./rules/mode-never-reached/rule.ts";
import { rule as principalUnused } from "./rules/principal-unused/rule.ts";
import { rule as promptAboveBudget } from "./rules/prompt-above-budget/rule.ts";
import { rule as ruleRedundant } from "./rules/rule-redundant/rule.ts";
import { rule as sessionWithoutQuota } from "./rules/session-without-quota/rule.ts";
import { rule as stepUpInherited } from "./rules/step-up-inherited/rule.ts";
import { rule as strayDoc } from "./rules/stray-doc/rule.ts";
import { rule as toolUnclassified } from "./rules/tool-unclassified/rule.ts";
import { rule as toolsNotCovered } from "./rules/tools-not-covered/rule.ts";
import { rule as waiverUnused } from "./rules/waiver-unused/rule.ts";
import { rule as wildcardWide } from "./rules/wildcard-wide/rule.ts";

/** All advice by the name of its folder. */
export const ADVICE: Readonly<Record<string, Law>> = {
  "auto-outbound": autoOutbound,
  "block-empty": blockEmpty,
  "consent-text-shared": consentTextShared,
  "dead-authority": deadAuthority,
  "declaration-unused": declarationUnused,
  "deprecated-name": deprecatedName,
  "doc-missing": docMissing,
  "floor-always": floorAlways,
  "folder-misread": folderMisread,
  "grant-past-line": grantPastLine,
  "hint-stricter": hintStricter,
  "import-unused": importUnused,
  "line-loosened": lineLoosened,
  "mode-never-reached": modeNeverReached,
  "principal-unused": principalUnused,
  "prompt-above-budget": promptAboveBudget,
  "rule-redundant": ruleRedundant,
  "session-without-quota": sessionWithoutQuota,
  "step-up-inherited": stepUpInherited,
  "stray-doc": strayDoc,
  "tool-unclassified": toolUnclassified,
  "tools-not-covered": toolsNotCovered,
  "waiver-unused": waiverUnused,
  "wildcard-wide": wildcardWide,
};
