import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

/** Reason in a finding about a quota of prompts in a session without prompts. */
export const NOBODY_ASKED = "no call here asks a person";

export const quotaUnreachable = defineDiagnostic<{ quota: string; why: string }>({
  code: "quota-unreachable",
  severity: "error",
  say: ({ quota, why }) => `\`${quota}\` is never used up: ${why}`,
  because: "A limit that cannot be reached has no effect, although a reader of the page relies on it.",
  help: ({ why }) => (why === NOBODY_ASKED ? "delete this quota" : "delete this quota, or write a smaller amount"),
});
