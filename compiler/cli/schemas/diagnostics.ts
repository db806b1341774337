import { Type } from "typebox";

const closed = { additionalProperties: false };
const place = Type.Integer({ minimum: 1 });

/** Range in a file. */
export const RANGE = Type.Object(
  { file: Type.String(), line: place, column: place, endLine: place, endColumn: place },
  { ...closed, description: "lines and columns from 1; columns count UTF-16 code units, the last is behind the end" },
);

const fields = {
  code: Type.String({ pattern: "^[a-z]+(-[a-z0-9]+)*$", description: "never changes its meaning; see capc explain" }),
  severity: Type.Enum(["error", "warning"]),
  at: RANGE,
  message: Type.String(),
  because: Type.String(),
  help: Type.Optional(Type.String()),
  fix: Type.Optional(
    Type.Object(
      { at: RANGE, replacement: Type.String() },
      {
        ...closed,
        description: "a proposal for a person; capc lint --fix applies those that cannot change what is meant",
      },
    ),
  ),
  related: Type.Array(Type.Object({ at: RANGE, message: Type.String() }, closed)),
};

/** One finding. */
export const FINDING = Type.Object(fields, closed);

const counted = {
  errors: Type.Integer({ minimum: 0 }),
  warnings: Type.Integer({ minimum: 0 }),
  more: Type.Integer({ minimum: 0, description: "how many are counted and not listed" }),
  diagnostics: Type.Array(FINDING),
};

/** Output for a page with errors, from every command that refuses such a page. */
export const REPORT = Type.Object(counted, closed);

/** Output of `capc check --json` and `capc lint --json`. Only lint outputs `silenced`, and only check --update-lock outputs `changes`. */
export const diagnosticsSchema = Type.Object(
  {
    ...counted,
    changes: Type.Optional(Type.Array(Type.String(), { description: "what is pinned differently now" })),
    unread: Type.Optional(
      Type.Array(Type.Object({ file: Type.String(), reason: Type.String() }, closed), {
        description: "pages that could not be read: nothing is said of them",
      }),
    ),
    silenced: Type.Optional(Type.Array(Type.Object({ ...fields, reason: Type.String() }, closed))),
  },
  { ...closed, $schema: "https://json-schema.org/draft/2020-12/schema", title: "findings of capc" },
);
