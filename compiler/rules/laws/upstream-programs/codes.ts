import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const programName = defineDiagnostic<{ name: string; why: string }>({
  code: "program-name",
  severity: "error",
  say: ({ name, why }) => `upstream does not accept the program name \`${name}\`: ${why}`,
  because: "Upstream finds a program only by its name.",
  help: () => "rename the file that `exec` names",
});

export const programsMany = defineDiagnostic<{ count: number; most: number }>({
  code: "programs-many",
  severity: "error",
  say: ({ count, most }) => `the page has ${count} programs; upstream can list at most ${most}`,
  because: "Upstream's launcher lists at most this number of names, and its validator refuses more.",
  help: () => "let several services use the same program",
});

export const programForeign = defineDiagnostic<{ name: string }>({
  code: "program-foreign",
  severity: "error",
  say: ({ name }) => `\`${name}\` is not a program for upstream's kernel`,
  because: "Upstream accepts any bytes as a program, but fails when it starts a wrong one.",
  help: () => "name a static ELF program for x86-64",
});
