// One call, from its proposal to its end. The order of these steps is the security property. Each stage can be made only by its own step,
// from the stage before it. So code that omits or swaps steps does not compile (`stages.test.ts`).
import { Answerable } from "./answerable.ts";
import { Answered } from "./answered.ts";
import { Approved } from "./approved.ts";
import { Ended } from "./ended.ts";
import { Judged } from "./judged.ts";
import type { Proposed } from "./proposed.ts";
import { Recordable } from "./recordable.ts";
import { Recorded } from "./recorded.ts";
import { Reserved } from "./reserved.ts";
import { Sent } from "./sent.ts";
import { Stopped } from "./stopped.ts";

/** All parts of the gate that the steps of a call use; each step uses some of them. */
export type CallParts = Parameters<typeof Judged.judge>[0] &
  Parameters<typeof Recordable.confirm>[0] &
  Parameters<typeof Answerable.find>[0] &
  Parameters<typeof Reserved.reserve>[0] &
  Parameters<typeof Approved.approve>[0] &
  Parameters<typeof Recorded.record>[0] &
  Parameters<typeof Sent.send>[0] &
  Parameters<typeof Answered.admit>[0] &
  Parameters<typeof Ended.conclude>[0];

/**
 * Runs a call through its stages, until all stages are done or a step stops the call. The end of the call is recorded before it is
 * returned.
 */
export async function runCall(parts: CallParts, proposed: Proposed): Promise<Ended> {
  return Ended.conclude(parts, await goThrough(parts, proposed));
}

/**
 * Runs the steps up to the answer. A step that need not wait returns its stage directly, because awaiting it would double the cost of a
 * call.
 */
async function goThrough(parts: CallParts, proposed: Proposed): Promise<Stopped | Answered> {
  const judged = Judged.judge(parts, proposed);
  if (judged instanceof Stopped) return judged;
  const confirmed = Recordable.confirm(parts, judged);
  const recordable = confirmed instanceof Promise ? await confirmed : confirmed;
  if (recordable instanceof Stopped) return recordable;
  const found = Answerable.find(parts, recordable);
  const answerable = found instanceof Promise ? await found : found;
  if (answerable instanceof Stopped) return answerable;
  const reserved = await Reserved.reserve(parts, answerable);
  if (reserved instanceof Stopped) return reserved;
  const passed = Approved.approve(parts, reserved);
  const approved = passed instanceof Promise ? await passed : passed;
  if (approved instanceof Stopped) return approved;
  const kept = Recorded.record(parts, approved);
  const recorded = kept instanceof Promise ? await kept : kept;
  if (recorded instanceof Stopped) return recorded;
  const sent = await Sent.send(parts, recorded);
  if (sent instanceof Stopped) return sent;
  return Answered.admit(parts, sent);
}
