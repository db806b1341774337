import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { isError } from "../../../lang/diagnostics/index.ts";
import { parse } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { renderJson } from "../../phases/bind/index.ts";

/** Returns arguments of a call as JSON text. Fails if they are neither a JSON object nor `{ name: value, … }` as tests write them. */
export async function readCallArguments(text: string): Promise<Result<string>> {
  if (isJsonObject(text)) return accept(text);
  const page = `system asked { test "asked" { as asked  call asked.tool ${text} expect auto } }`;
  const { tree, diagnostics } = await parse(createSourceText("arguments", page));
  const [system, ...more] = tree.items;
  const [test, ...others] = system?.kind === "system" ? system.items : [];
  const [, call, ...steps] = test?.kind === "test" ? test.steps : [];
  // The page above contains `text`. If `text` has more than the arguments, such as `{} call a.b {}`, the page has
  // further steps or declarations, and `text` is refused.
  const isWhole = !diagnostics.some(isError) && more.length === 0 && others.length === 0 && steps.length === 0;
  if (!isWhole || call?.kind !== "call" || call.returning !== undefined || call.giving !== undefined)
    return refuse("neither a JSON object nor `{ name: value }` as a test of a page has them");
  return accept(renderJson(call.arguments));
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}
