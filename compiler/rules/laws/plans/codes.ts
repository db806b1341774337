import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const plansWithoutSession = defineDiagnostic<{ service: string; what: string }>({
  code: "plans-without-session",
  severity: "error",
  say: ({ service, what }) => `the \`ActionPlans\` service \`${service}\` ${what}`,
  because:
    "Each action is a call of one session, and the rules of that session decide. Without a session no rule could decide.",
  help: () => "write `grant NAME` in the service, with the name of one session of the page and without a scope",
});

export const plansSessionUnfit = defineDiagnostic<{ session: string; service: string; what: string; instead: string }>({
  code: "plans-session-unfit",
  severity: "error",
  say: ({ session, service, what }) => `\`${service}\` executes its plans in the name of \`${session}\`, which ${what}`,
  because:
    "Each submitted plan is a turn of that session. So no person and no model may use the session, and each turn must end.",
  help: ({ instead }) => instead,
});

export const plansLabel = defineDiagnostic<{ service: string; has: string; session: string; wants: string }>({
  code: "plans-label",
  severity: "error",
  say: ({ service, has, session, wants }) =>
    `\`${service}\` has the label \`${has}\`, but its session \`${session}\` starts at \`${wants}\``,
  because:
    "The service's plans enter the conversation of the session, and results of the session leave it through the service. If the labels differed, data would change its label.",
  help: ({ wants }) => `write \`label ${wants}\`, or change \`starts\` of the session`,
});

export const plansUnbounded = defineDiagnostic<{ session: string; unit: string }>({
  code: "plans-unbounded",
  severity: "error",
  say: ({ session, unit }) => `the session \`${session}\` has no quota that limits ${unit} for longer than one turn`,
  because:
    "Each plan is a turn, and a submitter may send any number of plans. So many questions make people approve without reading.",
  help: ({ unit }) => `write \`quota { 12 ${unit} per hour }\`, with a number that fits`,
});
