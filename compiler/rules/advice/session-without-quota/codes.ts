import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sessionWithoutQuota = defineDiagnostic<{ session: string }>({
  code: "session-without-quota",
  severity: "warning",
  say: ({ session }) => `the session \`${session}\` has no quota`,
  because: "Without a quota an agent in a loop calls tools and asks for consent until a person stops it.",
  help: () => "write `quota { 40 calls per turn  12 prompts per hour }`, with amounts that fit",
});
