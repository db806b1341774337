import { Type } from "typebox";
import { REPORT } from "./diagnostics.ts";

const written = Type.Object(
  {
    path: Type.String({ description: "of the page of HTML, as short as it can be said from the working folder" }),
    bytes: Type.Integer({ minimum: 1 }),
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    unproved: Type.Integer({ minimum: 0, description: "assertions that are refuted or undetermined" }),
    verified: Type.Union([Type.Boolean(), Type.Null()], {
      description: "whether the audit log is in order; null without --audit",
    }),
  },
  { additionalProperties: false },
);

/** Output of `capc report --json`. */
export const reportSchema = Type.Union([written, REPORT], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "the page of HTML that was written, or the findings of a page with errors",
});
