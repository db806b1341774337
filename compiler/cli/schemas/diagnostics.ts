import { Type } from "typebox";

const closed = { additionalProperties: false };
const place = Type.Integer({ minimum: 1 });

const range = Type.Object(
  { file: Type.String(), line: place, column: place, endLine: place, endColumn: place },
  { ...closed, description: "lines and columns from 1; columns count UTF-16 code units, the last is behind the end" },
);

const diagnostic = {
  code: Type.String({ pattern: "^[a-z]+(-[a-z0-9]+)*$", description: "never changes its meaning; see capc explain" }),
  severity: Type.Enum(["error", "warning"]),
  at: range,
  message: Type.String(),
  because: Type.String(),
  help: Type.Optional(Type.String()),
  fix: Type.Optional(Type.Object({ at: range, replacement: Type.String() }, closed)),
  related: Type.Array(Type.Object({ at: range, message: Type.String() }, closed)),
};

/** What `capc check --json` and `capc lint --json` print; `silenced` is lint's, `changes` are of check --update-lock. */
export const diagnosticsSchema = Type.Object(
  {
    errors: Type.Integer({ minimum: 0 }),
    warnings: Type.Integer({ minimum: 0 }),
    more: Type.Integer({ minimum: 0, description: "how many are counted and not listed" }),
    diagnostics: Type.Array(Type.Object(diagnostic, closed)),
    changes: Type.Optional(Type.Array(Type.String(), { description: "what is pinned differently now" })),
    silenced: Type.Optional(Type.Array(Type.Object({ ...diagnostic, reason: Type.String() }, closed))),
  },
  { ...closed, $schema: "https://json-schema.org/draft/2020-12/schema", title: "findings of capc" },
);
