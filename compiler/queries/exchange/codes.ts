import { defineDiagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";

/** Error for text that is not YAML or JSON in the form that capc accepts. */
export const notYaml = defineDiagnostic<{ reason: string }>({
  code: "not-yaml",
  severity: "error",
  say: ({ reason }) => `this is not YAML or JSON as it is read here: ${escapeInvisible(reason)}`,
  because: "A page that two readers could read differently is not read at all: no aliases, tags or repeated names.",
});

/** Error for valid YAML or JSON whose values are not a page. */
export const notAPage = defineDiagnostic<{ reason: string }>({
  code: "not-a-page",
  severity: "error",
  say: ({ reason }) => escapeInvisible(reason),
  because: "An import becomes a page with the same meaning; a part without a meaning cannot become one.",
  help: () => "`capc schema page` prints the form of an exchanged page",
});
