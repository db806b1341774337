import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const programName = defineDiagnostic<{ name: string; why: string }>({
  code: "program-name",
  severity: "error",
  say: ({ name, why }) => `a program cannot be called \`${name}\` upstream: ${why}`,
  because: "Upstream finds programs by their names alone.",
  help: () => "rename the file that `exec` names",
});

export const programsMany = defineDiagnostic<{ count: number; most: number }>({
  code: "programs-many",
  severity: "error",
  say: ({ count, most }) => `${count} programs are more than the ${most} that upstream can list`,
  because: "Its launcher lists so many names, and its validator refuses more.",
  help: () => "let services share programs",
});

export const programForeign = defineDiagnostic<{ name: string }>({
  code: "program-foreign",
  severity: "error",
  say: ({ name }) => `\`${name}\` is not a program for upstream's kernel`,
  because: "Upstream accepts any bytes as a program, and fails at the start.",
  help: () => "name a static program for x86-64, in ELF",
});
