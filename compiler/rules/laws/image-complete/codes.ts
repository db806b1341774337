import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const imageMissing = defineDiagnostic<{ what: string; instead: string }>({
  code: "image-incomplete",
  severity: "error",
  say: ({ what }) => `the page does not state ${what}`,
  because:
    "The boot session and the kind of machine decide what the signed image contains, so the page must state them.",
  help: ({ instead }) => `write \`${instead}\``,
});

export const sealedByBios = defineDiagnostic<Record<string, never>>({
  code: "sealed-by-bios",
  severity: "error",
  say: () => "a sealed image cannot start by BIOS",
  because: "BIOS starts any program on the boot medium, so a person who can write to the medium could run any program.",
  help: () => "write `firmware uefi`, or leave `firmware` out",
});

export const bootAbstract = defineDiagnostic<{ session: string }>({
  code: "boot-abstract",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` is abstract, so it cannot run`,
  because: "An abstract session only serves as a base for other sessions.",
  help: () => "boot a session that extends this session",
});
