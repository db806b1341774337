import type { VerdictLaw } from "./support/verdict.ts";
import { rule as assertionRefuted } from "./verdicts/assertion-refuted/rule.ts";
import { rule as conversationUnanswered } from "./verdicts/conversation-unanswered/rule.ts";
import { rule as flowLeak } from "./verdicts/flow-leak/rule.ts";
import { rule as proofUndetermined } from "./verdicts/proof-undetermined/rule.ts";
import { rule as ungatedExit } from "./verdicts/ungated-exit/rule.ts";

/** Every verdict rule, by the name of its folder. */
export const VERDICT_LAWS: Readonly<Record<string, VerdictLaw>> = {
  "assertion-refuted": assertionRefuted,
  "conversation-unanswered": conversationUnanswered,
  "flow-leak": flowLeak,
  "proof-undetermined": proofUndetermined,
  "ungated-exit": ungatedExit,
};
