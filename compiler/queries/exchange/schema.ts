import { Type } from "typebox";
import { json } from "./shapes/claims.ts";
import { item, page } from "./shapes/page.ts";

/** The published JSON Schema of an exchanged page; see `capc schema page`. */
export const pageSchema = Type.Unsafe<unknown>({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "a page of capc, exchanged",
  ...page.schema,
  $defs: { item: item.schema, json: json.schema },
});
