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
    `the descriptions of the ${tools} tools of the session \`${session}\` take about ${tokens} tokens, more than half of ${context}, ${whose}`,
  because:
    "The model reads these descriptions before every answer, so few tokens of its context remain for the conversation.",
  help: () =>
    "`suppress` tools that the session does not need, keep the needed ones with `only`, or move tools into tasks",
});
