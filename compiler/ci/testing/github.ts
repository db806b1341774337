// Loads GitHub's own parser of workflows and actions. The parser imports JSON in a form that only bundlers support, so
// it is bundled for the tests.

import { build } from "esbuild";

type Parser = typeof import("@actions/workflow-parser");
type ActionParser = typeof import("@actions/workflow-parser/actions/action-parser");

const ENTRY = `export { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
export { parseAction } from "@actions/workflow-parser/actions/action-parser";`;

/** GitHub's own parser: its functions return the errors in the text of an action or of a workflow. */
export interface Judge {
  readonly action: (text: string) => readonly string[];
  readonly workflow: (text: string) => readonly string[];
}

export async function githubJudge(): Promise<Judge> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  const bundled = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  const parser: Pick<Parser, "parseWorkflow" | "NoOperationTraceWriter"> & Pick<ActionParser, "parseAction"> =
    await import(`data:text/javascript;base64,${bundled}`);
  const { parseAction, parseWorkflow, NoOperationTraceWriter } = parser;
  const errorsOf = ({ context }: ReturnType<typeof parseAction>) =>
    context.errors.getErrors().map(({ message }) => message);
  return {
    action: (content) => errorsOf(parseAction({ name: "action.yml", content }, new NoOperationTraceWriter())),
    workflow: (content) => errorsOf(parseWorkflow({ name: "workflow.yml", content }, new NoOperationTraceWriter())),
  };
}
