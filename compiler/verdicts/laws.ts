import { rule as assertionRefuted } from "./rules/assertion-refuted/rule.ts";
import { rule as conversationUnanswered } from "./rules/conversation-unanswered/rule.ts";
import { rule as flowLeak } from "./rules/flow-leak/rule.ts";
import { rule as proofUndetermined } from "./rules/proof-undetermined/rule.ts";
import { rule as ungatedExit } from "./rules/ungated-exit/rule.ts";
import type { VerdictLaw } from "./verdict.ts";

/** Every law by the name of its folder. */
export const VERDICT_LAWS: Readonly<Record<string, VerdictLaw>> = {
  "assertion-refuted": assertionRefuted,
  "conversation-unanswered": conversationUnanswered,
  "flow-leak": flowLeak,
  "proof-undetermined": proofUndetermined,
  "ungated-exit": ungatedExit,
};
