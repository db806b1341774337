import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { createSourceText } from "../../../../lang/text/index.ts";
import { importPage } from "../../../queries/exchange/index.ts";

const TEXT = `form: capc-page-1
items:
  - kind: category
    name: &same extra
    parent: *same
`;

export function findings(): Diagnostic[] {
  const read = importPage(createSourceText("bad.yaml", TEXT));
  return read.ok ? [] : [...read.diagnostics];
}
