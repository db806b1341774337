import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const wrongVersion = defineDiagnostic<{ version: string }>({
  code: "wrong-version",
  severity: "error",
  say: ({ version }) => `\`${version}\` is not a version`,
  because:
    "A machine refuses an image with a lower version than the highest that it has started, so versions must have an order.",
  help: () => 'write three numbers: `version "1.2.0"`',
});

export const nameTooLong = defineDiagnostic<{ limit: number }>({
  code: "name-too-long",
  severity: "error",
  say: ({ limit }) => `the name has more than ${limit} characters`,
  because: "The names of processes, folders and users in the image contain this name.",
  help: () => "shorten it",
});

export const reservedName = defineDiagnostic<{ name: string }>({
  code: "reserved-name",
  severity: "error",
  say: ({ name }) =>
    `a service cannot have the name \`${name}\`, because a process, grant or file of the image has this name`,
  because: "The image finds processes and capabilities by name, so it would confuse two processes with the same name.",
  help: () => "give the service another name",
});
