import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const widenChangesNothing = defineDiagnostic<{ what: string }>({
  code: "widen-changes-nothing",
  severity: "error",
  say: ({ what }) => `${what} is not wider than it would be without this`,
  because: "Each widening is a line that somebody has to review; one that widens nothing hides those that do.",
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
  say: ({ text }) => `\`${text}\` is no day`,
  because: "A day that nobody can read never comes.",
  help: () => 'write a day as "2027-01-31"',
});

export const widenWithoutParent = defineDiagnostic<{ session: string }>({
  code: "widen-without-parent",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` extends nothing that this could go beyond`,
  because: "Widenings are what a reviewer looks for; what may simply be written must not hide among them.",
  help: () => "write it outside of `widen`",
});
