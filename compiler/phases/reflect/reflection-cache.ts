import type { PartialMessage } from "esbuild";
import { Memo } from "../source/index.ts";
import type { SchemaOutcome } from "./schema-compiler.ts";

/** Cache of compiled schemas and checked programs, for a page that is compiled repeatedly. */
export interface KeptReflections {
  readonly schemas: Memo<SchemaOutcome>;
  readonly programs: Memo<readonly PartialMessage[]>;
}

export function createKeptReflections(): KeptReflections {
  return { schemas: new Memo(), programs: new Memo() };
}
