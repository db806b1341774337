import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const conversationUnanswered = defineDiagnostic<{ place: string; label: string; story: string }>({
  code: "conversation-unanswered",
  severity: "warning",
  say: ({ place, label }) => `in ${place} a conversation that has seen \`${label}\` is answered by no backend`,
  because: "A conversation is sent to its backend as a whole; if no backend is cleared for it, the gate ends it.",
  help: ({ story }) => `clear a backend for it, or keep the session from seeing it; this is how it sees it\n${story}`,
});
