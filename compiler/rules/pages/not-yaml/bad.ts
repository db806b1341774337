import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { sourceText } from "../../../../lang/text/index.ts";
import { importPage } from "../../../queries/exchange/index.ts";

const TEXT = `form: capc-page-1
items:
  - kind: category
    name: &same extra
    parent: *same
`;

export function findings(): Diagnostic[] {
  const read = importPage(sourceText("bad.yaml", TEXT));
  return read.ok ? [] : [...read.diagnostics];
}
