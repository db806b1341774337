import type { Decision } from "../../../lib/policy/index.ts";
import type { NoticeStage } from "../../../lib/wire/generated/wire.ts";
import { escapeArrows, renderToolName } from "../drawn-text.ts";
import type { Ending } from "../ending.ts";
import { isFlowRefusal } from "../flow-words.ts";
import type { Person } from "../ports.ts";
import { renderDrawnArguments, shorten } from "../result.ts";
import type { Proposal } from "./proposed.ts";

/** Maximum bytes of a result drawn for the person: about two lines of a small screen, to show what the model reads. */
const MAX_DRAWN_RESULT_BYTES = 120;
/** Maximum bytes of an error drawn for the person; a model may read more of the error. */
const MAX_DRAWN_ERROR_BYTES = 1024;
/**
 * Maximum bytes of a call's arguments that are drawn: about eight lines. A person who is asked sees all arguments, and
 * the record has all arguments.
 */
const MAX_DRAWN_ARGUMENT_BYTES = 512;

const NOT_ENDED: Ending = { outcome: "ok", content: "", error: "" };

/** Has the console draw a call that waits for a person, or runs. */
export function announceStage(
  person: Person,
  stage: Exclude<NoticeStage, "finished">,
  proposal: Proposal,
  decision: Decision,
): void {
  announce(person, stage, { proposal, decision, ending: NOT_ENDED });
}

/** Has the console draw the outcome of a call. `decision` is absent if the call was refused before it was judged. */
export function announceEnd(person: Person, proposal: Proposal, decision: Decision | undefined, ending: Ending): void {
  announce(person, "finished", { proposal, decision, ending });
}

interface Drawn {
  readonly proposal: Proposal;
  readonly decision: Decision | undefined;
  readonly ending: Ending;
}

function announce(person: Person, stage: NoticeStage, { proposal, decision, ending }: Drawn): void {
  const { call, hearer } = proposal;
  const { outcome, content, error: detail } = ending;
  const gated = decision?.kind === "gated";
  // If the flow check refused a call, nobody was asked about it. So the notice shows no mode: `consent` would look as
  // if a person had been asked.
  const mode = gated ? decision.gate : isFlowRefusal(decision) ? undefined : decision?.mode;
  const drawnOf = gated ? renderDrawnArguments : shorten;
  const args = drawnOf(gated ? decision.arguments : call.arguments, MAX_DRAWN_ARGUMENT_BYTES);
  person.announce({
    tool: renderToolName(call.name),
    arguments: escapeArrows(args),
    mode: mode ?? "forbidden",
    stage,
    outcome,
    detail: escapeArrows(shorten(detail, MAX_DRAWN_ERROR_BYTES)),
    hasMode: mode !== undefined,
    // A person who made the call gets its full result as the answer to the command, so the notice has no result.
    result: hearer === "person" ? "" : escapeArrows(shorten(content, MAX_DRAWN_RESULT_BYTES)),
  });
}
