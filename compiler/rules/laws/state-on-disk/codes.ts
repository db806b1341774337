import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const stateWithoutStorage = defineDiagnostic<{ service: string }>({
  code: "state-without-storage",
  severity: "error",
  say: ({ service }) => `the service \`${service}\` keeps state, and the page names no disk for it`,
  because: "State without a disk is gone at the next start.",
  help: () => 'write `storage { disk "capos-data" }`',
});

export const serviceWithoutState = defineDiagnostic<{ service: string }>({
  code: "service-without-state",
  severity: "error",
  say: ({ service }) => `the service \`${service}\` has nowhere to keep its files`,
  because: "A directory of files is a directory on the data disk, of a size that the page says.",
  help: () => "write `state 16 MiB` in it",
});

export const stateWithoutUse = defineDiagnostic<{ service: string; face: string }>({
  code: "state-without-use",
  severity: "error",
  say: ({ service, face }) => `the service \`${service}\` keeps nothing: what answers for \`${face}\` has no directory`,
  because: "A line that is accepted and does nothing is worse than none: its author believes that it holds.",
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
  because: "A file system label has at most 16 bytes, and letters, digits, `-` and `_` are the same everywhere.",
  help: () => 'write a name such as "capos-data"',
});
