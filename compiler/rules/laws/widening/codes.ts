import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const widenChangesNothing = defineDiagnostic<{ what: string }>({
  code: "widen-changes-nothing",
  severity: "error",
  say: ({ what }) => `${what} would be as wide without this widening`,
  because: "A person has to review each widening, and a widening without effect wastes the time of reviewers.",
  help: () => "delete this line, or write it outside of `widen`",
});

export const widenExpired = defineDiagnostic<{ until: string; today: string }>({
  code: "widen-expired",
  severity: "error",
  say: ({ until, today }) => `this widening expired on ${until}; today is ${today}`,
  because: "A temporary widening must not remain unnoticed after its last day.",
  help: () => "delete the widening, or give it a new date and a new reason",
});

export const wrongDate = defineDiagnostic<{ text: string }>({
  code: "wrong-date",
  severity: "error",
  say: ({ text }) => `\`${text}\` is not a date`,
  because: "If the date cannot be read, the widening would never expire.",
  help: () => 'write a date such as "2027-01-31"',
});

export const widenWithoutParent = defineDiagnostic<{ session: string }>({
  code: "widen-without-parent",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` extends no session, so there is nothing to widen`,
  because: "A reviewer reads every widening, so `widen` must not contain other rules.",
  help: () => "write these rules outside of `widen`",
});
