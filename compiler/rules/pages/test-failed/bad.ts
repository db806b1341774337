import { readFileSync } from "node:fs";
import { compile } from "../../../compile.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { runTests } from "../../../queries/page-tests/index.ts";

const good = readFileSync(new URL("./good.cap", import.meta.url), "utf8");
const bad = good.replace("system good", "system bad").replace("expect consent", "expect auto");

/** Returns the findings of a test run. The page compiles without findings. */
export async function findings() {
  const { policy, origins, model } = await compile(createMemoryHost({ "/bad.cap": bad }), "/bad.cap");
  if (policy === undefined || origins === undefined || model === undefined) throw new Error("the page is lawful");
  return runTests(policy, origins, model).results.flatMap(({ failures }) => failures);
}
