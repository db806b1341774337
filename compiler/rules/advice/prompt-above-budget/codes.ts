import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const promptAboveBudget = defineDiagnostic<{
  session: string;
  tools: number;
  tokens: number;
  context: number;
  whose: string;
}>({
  code: "prompt-above-budget",
  severity: "warning",
  say: ({ session, tools, tokens, context, whose }) =>
    `the ${tools} tools of the session \`${session}\` take about ${tokens} tokens, more than half of ${context}, ${whose}`,
  because: "They are told to the model before every answer; what is left is for the conversation, and is soon full.",
  help: () =>
    "suppress what the session does not need, name what it needs with `only`, or give tasks tools of their own",
});
