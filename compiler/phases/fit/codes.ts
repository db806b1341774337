import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const imageTooLarge = defineDiagnostic<{ what: string; has: string; limit: string; instead: string }>({
  code: "image-too-large",
  severity: "error",
  say: ({ what, has, limit }) => `${what} would have ${has}; programs of the image accept at most ${limit}`,
  because:
    "Programs of the image limit the size of their input before they parse it. A machine whose input is larger would not start.",
  help: ({ instead }) => instead,
});

const ON_THE_MACHINE = "Without enough memory the kernel kills processes while the machine starts.";

export const machineTooSmall = defineDiagnostic<{ needs: number; has: number; processes: number; most: string }>({
  code: "machine-too-small",
  severity: "error",
  say: ({ needs, has, processes, most }) =>
    `the ${processes} processes of the page and the kernel need ${needs} MiB of memory, and the machine has ${has} MiB; the largest part is ${most}`,
  because: ON_THE_MACHINE,
  help: ({ needs }) =>
    `write \`memory ${needs} MiB\` in \`image\` and give the machine that much, or remove sessions or services`,
});

export const machineLimit = defineDiagnostic<{ who: string; what: string; count: number; limit: number }>({
  code: "machine-limit",
  severity: "error",
  say: ({ who, what, count, limit }) => `${who} would have ${count} ${what}; at most ${limit} are possible`,
  because:
    "init refuses an image that exceeds the limits of init. Without this check, capc would sign an image that never starts.",
  help: () => "remove sessions, services or backends, or split the page into two systems",
});
