import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const wrongVersion = defineDiagnostic<{ version: string }>({
  code: "wrong-version",
  severity: "error",
  say: ({ version }) => `\`${version}\` is not a version`,
  because: "A machine refuses an image that is older than the last one it accepted, so versions must have an order.",
  help: () => 'write three numbers: `version "1.2.0"`',
});

export const nameTooLong = defineDiagnostic<{ limit: number }>({
  code: "name-too-long",
  severity: "error",
  say: ({ limit }) => `the name has more than ${limit} characters`,
  because: "Names become names of processes, folders and users in the image.",
  help: () => "shorten it",
});

export const reservedName = defineDiagnostic<{ name: string }>({
  code: "reserved-name",
  severity: "error",
  say: ({ name }) => `no service may have the name \`${name}\`, which is a part of the image`,
  because: "Processes and capabilities are found by name; two of one name would be taken for each other.",
  help: () => "give it another name",
});
