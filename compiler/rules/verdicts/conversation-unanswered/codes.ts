import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const conversationUnanswered = defineDiagnostic<{ place: string; label: string; story: string }>({
  code: "conversation-unanswered",
  severity: "warning",
  say: ({ place, label }) => `in ${place} no backend is cleared for a conversation that has read \`${label}\``,
  because:
    "The whole conversation is sent to its backend. If no backend is cleared for it, the gate ends the conversation.",
  help: ({ story }) =>
    `give a backend this clearance, or prevent that the session reads data with this label; this conversation reads such data\n${story}`,
});
