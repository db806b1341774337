import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

const ELSE = "or build without an image: `--emit tables,manifest,proofs`";
const BROUGHT = "capc has neither upstream's kernel nor its loader: the operator brings both.";
const FIRST = "The firmware, or the loader, would be the first to find out, on the machine.";

export const bootIncomplete = defineDiagnostic<{ what: string; instead: string }>({
  code: "boot-incomplete",
  severity: "error",
  say: ({ what }) => `an image for the kernel of upstream capOS needs ${what}`,
  because: BROUGHT,
  help: ({ instead }) => `write ${instead}, ${ELSE}`,
});

export const kernelUnfit = defineDiagnostic<{ path: string; reason: string; instead: string }>({
  code: "kernel-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be started: ${reason}`,
  because: FIRST,
  help: ({ instead }) => `${instead}, ${ELSE}`,
});

export const limineUnfit = defineDiagnostic<{ path: string; reason: string; instead: string }>({
  code: "limine-unfit",
  severity: "error",
  say: ({ path, reason }) => `the files in \`${path}\` cannot start a machine: ${reason}`,
  because: FIRST,
  help: ({ instead }) => `${instead}, ${ELSE}`,
});
