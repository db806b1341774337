import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const imageTooLarge = defineDiagnostic<{ what: string; has: string; limit: string; instead: string }>({
  code: "image-too-large",
  severity: "error",
  say: ({ what, has, limit }) => `${what} would have ${has}; the image reads at most ${limit}`,
  because:
    "Programs of the image limit the size of their input before they parse it. A machine whose input is larger would not start.",
  help: ({ instead }) => instead,
});

const ON_THE_MACHINE = "The kernel kills a process that finds no memory, in the middle of the machine's start.";

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
