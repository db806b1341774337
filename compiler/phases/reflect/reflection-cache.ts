import type { PartialMessage } from "esbuild";
import { Memo } from "../source/index.ts";
import type { SchemaOutcome } from "./schema-compiler.ts";

/** What was compiled of schemas and programs, for whoever compiles the same page again. */
export interface KeptReflections {
  readonly schemas: Memo<SchemaOutcome>;
  readonly programs: Memo<readonly PartialMessage[]>;
}

export function createKeptReflections(): KeptReflections {
  return { schemas: new Memo(), programs: new Memo() };
}
