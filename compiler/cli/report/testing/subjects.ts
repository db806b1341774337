import { fileURLToPath } from "node:url";
import { compile } from "../../../compile.ts";
import { createExampleHost } from "../../../dev/golden/golden.ts";
import type { Host } from "../../../phases/source/index.ts";
import type { Subject } from "../../../queries/report/index.ts";
import { requireProved } from "../../page.ts";
import { createSubject } from "../subject.ts";

/** Returns the facts of the report on an example, in which all key files contain the same key. */
export function exampleSubject(example: string): Promise<Subject> {
  const page = new URL(`../../../../examples/${example}/system.cap`, import.meta.url);
  return subjectAt(createExampleHost(), fileURLToPath(page));
}

/** Returns the facts of the report on a page without errors; its proofs may fail. */
export async function subjectAt(host: Host, path: string): Promise<Subject> {
  const compiled = await compile(host, path, { purpose: "check", proofs: "told", advice: "left" });
  return createSubject({ ...requireProved(compiled), diagnostics: compiled.diagnostics }, "system.cap");
}
