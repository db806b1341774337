import { defineDiagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";

/** Error for text that is not YAML or JSON in the form that capc accepts. */
export const notYaml = defineDiagnostic<{ reason: string }>({
  code: "not-yaml",
  severity: "error",
  say: ({ reason }) => `this is not YAML or JSON in the accepted subset: ${escapeInvisible(reason)}`,
  because: "Two programs must not read a file differently, so capc refuses aliases, tags and repeated names.",
});

/** Error for valid YAML or JSON whose values are not a page. */
export const notAPage = defineDiagnostic<{ reason: string }>({
  code: "not-a-page",
  severity: "error",
  say: ({ reason }) => escapeInvisible(reason),
  because: "The import must produce a page with the same meaning, and capc does not know the meaning of this part.",
  help: () => "`capc schema page` prints the JSON Schema of pages in YAML and JSON",
});
