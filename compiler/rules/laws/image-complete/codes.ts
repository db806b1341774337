import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const imageMissing = defineDiagnostic<{ what: string; instead: string }>({
  code: "image-incomplete",
  severity: "error",
  say: ({ what }) => `the page does not say ${what}`,
  because: "The boot session and the machine are part of the signed manifest, so they are never guessed.",
  help: ({ instead }) => `write \`${instead}\``,
});

export const sealedByBios = defineDiagnostic<Record<string, never>>({
  code: "sealed-by-bios",
  severity: "error",
  say: () => "a sealed image cannot start by BIOS",
  because: "BIOS starts any program on the medium: a person who can write to the medium could run anything.",
  help: () => "write `firmware uefi`, or leave `firmware` out",
});

export const bootAbstract = defineDiagnostic<{ session: string }>({
  code: "boot-abstract",
  severity: "error",
  say: ({ session }) => `\`${session}\` is abstract: nobody can be in it`,
  because: "An abstract session is there to be built upon.",
  help: () => "boot a session that extends it",
});
