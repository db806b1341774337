import { defineDiagnostic } from "../../lang/diagnostics/index.ts";

export const imageTooLarge = defineDiagnostic<{ what: string; has: string; limit: string; instead: string }>({
  code: "image-too-large",
  severity: "error",
  say: ({ what, has, limit }) => `${what} would have ${has}; the image reads at most ${limit}`,
  because: "The programs of an image bound what they read before they look at it. A machine with more would not start.",
  help: ({ instead }) => instead,
});
