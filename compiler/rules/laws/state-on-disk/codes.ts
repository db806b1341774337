import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const stateWithoutStorage = defineDiagnostic<{ service: string }>({
  code: "state-without-storage",
  severity: "error",
  say: ({ service }) => `the service \`${service}\` keeps state, but the page names no disk for it`,
  because: "State without a disk is lost at the next start.",
  help: () => 'write `storage { disk "capos-data" }`',
});

export const serviceWithoutState = defineDiagnostic<{ service: string }>({
  code: "service-without-state",
  severity: "error",
  say: ({ service }) => `the service \`${service}\` needs \`state\` to keep its files`,
  because:
    "The service stores its files in a directory on the data disk, and the page must limit the size of this directory.",
  help: () => "write `state 16 MiB` in the service",
});

export const stateWithoutUse = defineDiagnostic<{ service: string; face: string }>({
  code: "state-without-use",
  severity: "error",
  say: ({ service, face }) =>
    `the service \`${service}\` cannot keep state: the program that provides \`${face}\` stores nothing`,
  because: "The author of a line relies on it. So a line without effect must be an error.",
  help: () => "leave `state` out",
});

export const storageWithoutDisk = defineDiagnostic<Record<string, never>>({
  code: "storage-without-disk",
  severity: "error",
  say: () => "`storage` names no disk",
  because: "The image finds its data disk by name.",
  help: () => 'write `disk "capos-data"`',
});

export const wrongDiskName = defineDiagnostic<{ disk: string }>({
  code: "wrong-disk-name",
  severity: "error",
  say: ({ disk }) => `\`${disk}\` cannot be the name of a disk`,
  because: "The name becomes a file system label, which has at most 16 bytes and may use letters, digits, `-` and `_`.",
  help: () => 'write a name such as "capos-data"',
});
