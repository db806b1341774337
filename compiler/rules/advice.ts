import { rule as assertionTrivial } from "./advice/assertion-trivial/rule.ts";
import { rule as auditWithoutEffect } from "./advice/audit-without-effect/rule.ts";
import { rule as autoOutbound } from "./advice/auto-outbound/rule.ts";
import { rule as blockEmpty } from "./advice/block-empty/rule.ts";
import { rule as callOnce } from "./advice/call-once/rule.ts";
import { rule as consentTextShared } from "./advice/consent-text-shared/rule.ts";
import { rule as deadAuthority } from "./advice/dead-authority/rule.ts";
import { rule as declarationUnused } from "./advice/declaration-unused/rule.ts";
import { rule as deprecatedName } from "./advice/deprecated-name/rule.ts";
import { rule as docMissing } from "./advice/doc-missing/rule.ts";
import { rule as floorAlways } from "./advice/floor-always/rule.ts";
import { rule as folderMisread } from "./advice/folder-misread/rule.ts";
import { rule as grantPastLine } from "./advice/grant-past-line/rule.ts";
import { rule as hintStricter } from "./advice/hint-stricter/rule.ts";
import { rule as importUnused } from "./advice/import-unused/rule.ts";
import { rule as lineLoosened } from "./advice/line-loosened/rule.ts";
import { rule as principalUnused } from "./advice/principal-unused/rule.ts";
import { rule as promptAboveBudget } from "./advice/prompt-above-budget/rule.ts";
import { rule as redactionDead } from "./advice/redaction-dead/rule.ts";
import { rule as replyWithoutTool } from "./advice/reply-without-tool/rule.ts";
import { rule as ruleRedundant } from "./advice/rule-redundant/rule.ts";
import { rule as sessionWithoutQuota } from "./advice/session-without-quota/rule.ts";
import { rule as sourceUnsound } from "./advice/source-unsound/rule.ts";
import { rule as stepUpInherited } from "./advice/step-up-inherited/rule.ts";
import { rule as strayDoc } from "./advice/stray-doc/rule.ts";
import { rule as toolUnclassified } from "./advice/tool-unclassified/rule.ts";
import { rule as toolsNotCovered } from "./advice/tools-not-covered/rule.ts";
import { rule as waiverUnused } from "./advice/waiver-unused/rule.ts";
import { rule as wildcardWide } from "./advice/wildcard-wide/rule.ts";
import type { Law } from "./support/index.ts";

/** All advice, by the name of its folder. */
export const ADVICE: Readonly<Record<string, Law>> = {
  "assertion-trivial": assertionTrivial,
  "audit-without-effect": auditWithoutEffect,
  "auto-outbound": autoOutbound,
  "block-empty": blockEmpty,
  "call-once": callOnce,
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
  "principal-unused": principalUnused,
  "prompt-above-budget": promptAboveBudget,
  "redaction-dead": redactionDead,
  "reply-without-tool": replyWithoutTool,
  "rule-redundant": ruleRedundant,
  "session-without-quota": sessionWithoutQuota,
  "source-unsound": sourceUnsound,
  "step-up-inherited": stepUpInherited,
  "stray-doc": strayDoc,
  "tool-unclassified": toolUnclassified,
  "tools-not-covered": toolsNotCovered,
  "waiver-unused": waiverUnused,
  "wildcard-wide": wildcardWide,
};
