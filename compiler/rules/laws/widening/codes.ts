import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const widenChangesNothing = defineDiagnostic<{ what: string }>({
  code: "widen-changes-nothing",
  severity: "error",
  say: ({ what }) => `${what} is not wider than it would be without this`,
  because: "A person has to review each widening; one that widens nothing hides those that do.",
  help: () => "leave it out, or write it outside of `widen`",
});

export const widenExpired = defineDiagnostic<{ until: string; today: string }>({
  code: "widen-expired",
  severity: "error",
  say: ({ until, today }) => `this widening has run out on ${until}; today is ${today}`,
  because: "A widening that was meant for some time must not outlive it unnoticed.",
  help: () => "leave it out, or give it a new day and a new reason",
});

export const wrongDate = defineDiagnostic<{ text: string }>({
  code: "wrong-date",
  severity: "error",
  say: ({ text }) => `\`${text}\` is not a date`,
  because: "A date that cannot be read never comes.",
  help: () => 'write a date such as "2027-01-31"',
});

export const widenWithoutParent = defineDiagnostic<{ session: string }>({
  code: "widen-without-parent",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` extends nothing that this could go beyond`,
  because: "A reviewer looks for widenings; a line that needs none must not hide among them.",
  help: () => "write it outside of `widen`",
});
