import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const plansWithoutSession = defineDiagnostic<{ service: string; what: string }>({
  code: "plans-without-session",
  severity: "error",
  say: ({ service, what }) => `\`${service}\` executes action plans and ${what}`,
  because: "Each action is a call of one session, whose lines decide it: without that nobody would.",
  help: () => "grant it one session of the page, whole: `grant NAME`",
});

export const plansSessionUnfit = defineDiagnostic<{ session: string; service: string; what: string; instead: string }>({
  code: "plans-session-unfit",
  severity: "error",
  say: ({ session, service, what }) =>
    `plans of \`${service}\` are executed in the name of \`${session}\`, which ${what}`,
  because:
    "Who hands in plans begins the turns of that session: nobody else is to speak in it, and it must come to an end.",
  help: ({ instead }) => instead,
});

export const plansLabel = defineDiagnostic<{ service: string; has: string; session: string; wants: string }>({
  code: "plans-label",
  severity: "error",
  say: ({ service, has, session, wants }) =>
    `\`${service}\` has the label \`${has}\`, and \`${session}\`, in whose name it works, starts at \`${wants}\``,
  because:
    "What a plan says enters that session's conversation, and what the session reads comes out: a label between would be lost.",
  help: ({ wants }) => `write \`label ${wants}\`, or let the session start at another one`,
});

export const plansUnbounded = defineDiagnostic<{ session: string; unit: string }>({
  code: "plans-unbounded",
  severity: "error",
  say: ({ session, unit }) => `nothing bounds the ${unit} of \`${session}\` beyond a turn`,
  because:
    "Each plan is a turn, and whoever hands in plans begins as many as they like: people would be asked until they tire.",
  help: ({ unit }) => `write \`quota { 12 ${unit} per hour }\`, with a number that is yours`,
});
