import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const toolUnclassified = defineDiagnostic<{ face: string; methods: readonly string[] }>({
  code: "tool-unclassified",
  severity: "warning",
  say: ({ face, methods }) =>
    `\`${face}\` has methods without a category: ${methods.map((name) => `\`${name}\``).join(", ")}`,
  because: "A method without a category never runs, because the rules cannot know its effect.",
  help: () => "write `method NAME : CATEGORY` for each of them",
});
