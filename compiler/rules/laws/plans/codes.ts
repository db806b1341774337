import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const plansWithoutSession = defineDiagnostic<{ service: string; what: string }>({
  code: "plans-without-session",
  severity: "error",
  say: ({ service, what }) => `\`${service}\` executes action plans and ${what}`,
  because: "Each action is a call of one session, whose lines decide it: without a session no line would.",
  help: () => "grant it one session of the page, whole: `grant NAME`",
});

export const plansSessionUnfit = defineDiagnostic<{ session: string; service: string; what: string; instead: string }>({
  code: "plans-session-unfit",
  severity: "error",
  say: ({ session, service, what }) =>
    `plans of \`${service}\` are executed in the name of \`${session}\`, which ${what}`,
  because: "A submitter of plans begins the turns of that session: nobody else may speak in it, and it must end.",
  help: ({ instead }) => instead,
});

export const plansLabel = defineDiagnostic<{ service: string; has: string; session: string; wants: string }>({
  code: "plans-label",
  severity: "error",
  say: ({ service, has, session, wants }) =>
    `\`${service}\` has the label \`${has}\`, and \`${session}\`, in whose name it works, starts at \`${wants}\``,
  because:
    "A plan enters the conversation of the session, and results leave it: a label between the two would be lost.",
  help: ({ wants }) => `write \`label ${wants}\`, or let the session start at another one`,
});

export const plansUnbounded = defineDiagnostic<{ session: string; unit: string }>({
  code: "plans-unbounded",
  severity: "error",
  say: ({ session, unit }) => `the ${unit} of \`${session}\` have no bound beyond a turn`,
  because:
    "Each plan is a turn, and a submitter may hand in any number of plans: people would be asked until they tire.",
  help: ({ unit }) => `write \`quota { 12 ${unit} per hour }\`, with a number that is yours`,
});
