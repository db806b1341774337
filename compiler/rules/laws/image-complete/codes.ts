import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const imageMissing = defineDiagnostic<{ what: string; instead: string }>({
  code: "image-incomplete",
  severity: "error",
  say: ({ what }) => `the page does not say ${what}`,
  because: "What boots, and on what, is part of what is signed; nothing is guessed.",
  help: ({ instead }) => `write \`${instead}\``,
});

export const sealedByBios = defineDiagnostic<Record<string, never>>({
  code: "sealed-by-bios",
  severity: "error",
  say: () => "a sealed image cannot start by BIOS",
  because:
    "BIOS starts whatever lies on the medium: who can write to it could run anything, and nothing would be sealed.",
  help: () => "write `firmware uefi`, or leave `firmware` out",
});

export const bootAbstract = defineDiagnostic<{ session: string }>({
  code: "boot-abstract",
  severity: "error",
  say: ({ session }) => `\`${session}\` is abstract: nobody can be in it`,
  because: "An abstract session is there to be built upon.",
  help: () => "boot a session that extends it",
});
