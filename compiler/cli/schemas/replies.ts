import { Type } from "typebox";
import { Outcome } from "../../../engine/lib/wire/generated/capos.ts";
import { MAX_CALLS, MAX_REPLIES, MAX_TEXT_BYTES } from "../../../engine/processes/model/replies.ts";

const closed = { additionalProperties: false };

/** A schema cannot count bytes, so it limits characters: a text with too many characters also has too many bytes. */
const short = (description: string) =>
  Type.String({ maxLength: MAX_TEXT_BYTES, description: `${description}; at most ${MAX_TEXT_BYTES} bytes of UTF-8` });

const user = Type.Object({ user: short("the whole line that a person typed") }, closed);
const tool = Type.Object(
  {
    tool: short("name of the tool, such as notes.read"),
    outcome: Type.Enum([...Outcome.members], { description: "outcome of the call" }),
  },
  closed,
);

const call = Type.Object(
  {
    name: short("name of the tool, such as notes.read"),
    arguments: Type.Optional(
      Type.Unknown({ description: "an object of arguments; {} if it is missing. A text is sent as it is" }),
    ),
  },
  closed,
);

const reply = Type.Object(
  {
    when: Type.Union([user, tool], { description: "newest message of the conversation that the reply answers" }),
    say: Type.Optional(
      short(
        "the answer; {FIELD} stands for a field of the result, {FIELD.INNER} for a field in it, {error} for its error",
      ),
    ),
    call: Type.Optional(Type.Array(call, { maxItems: MAX_CALLS })),
    pause: Type.Optional(
      Type.Literal("untilCancelled", { description: "the answer does not end by itself after its text" }),
    ),
  },
  closed,
);

/** Schema of the file of a `stub` backend. */
export const repliesSchema = Type.Array(reply, {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "canned replies of a stub; the first one that fits the newest message answers",
  maxItems: MAX_REPLIES,
});
