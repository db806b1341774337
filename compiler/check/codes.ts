import { defineDiagnostic } from "../../lang/diagnostics/index.ts";

// Of checks that are no laws: they look at the page as a whole.

export const tooLarge = defineDiagnostic<{ what: string; count: number; limit: number }>({
  code: "too-large",
  severity: "error",
  say: ({ what, count, limit }) => `the page has ${count} ${what}; at most ${limit} are compiled`,
  because: "Tables have to fit where the image keeps them, and no page that anybody reads comes near.",
});

const ON_THE_MACHINE =
  "Whoever is started and finds no room is ended by the kernel, in the middle of a start, on somebody's machine.";

export const machineTooSmall = defineDiagnostic<{ needs: number; has: number; processes: number; most: string }>({
  code: "machine-too-small",
  severity: "error",
  say: ({ needs, has, processes, most }) =>
    `the ${processes} processes of the page take ${needs} MiB of memory with the kernel, and its machine has ${has} MiB; most is taken by ${most}`,
  because: ON_THE_MACHINE,
  help: ({ needs }) =>
    `write \`memory ${needs} MiB\` in \`image\` and give the machine as much, or leave sessions or services out`,
});

export const machineLimit = defineDiagnostic<{ who: string; what: string; count: number; limit: number }>({
  code: "machine-limit",
  severity: "error",
  say: ({ who, what, count, limit }) => `${who} would have ${count} ${what}, and ${limit} are the most`,
  because: "init starts nothing of an image that goes beyond what it takes: it would be signed, and never come up.",
  help: () => "leave out sessions, services or backends, or make two systems of them",
});
