// Checks the order of a call's stages, as the type checker enforces it. Each `@ts-expect-error` is an assertion: if the line below it
// compiles,
// `npm run types` fails. No call is made here; `run.test.ts` and `machine.model.test.ts` test the order at run time.
import { expect, expectTypeOf, test } from "vitest";
import type { Gate } from "../gate.ts";
import type { Provider } from "../ports.ts";
import { Answerable } from "./answerable.ts";
import { Answered } from "./answered.ts";
import { Approved } from "./approved.ts";
import { Ended } from "./ended.ts";
import { Judged } from "./judged.ts";
import type { Proposed } from "./proposed.ts";
import { Recordable } from "./recordable.ts";
import { Recorded } from "./recorded.ts";
import { Reserved } from "./reserved.ts";
import type { CallParts } from "./run.ts";
import { Sent } from "./sent.ts";
import type { Services } from "./services.ts";
import type { Stopped } from "./stopped.ts";

interface Stages {
  readonly proposed: Proposed;
  readonly judged: Judged;
  readonly recordable: Recordable;
  readonly answerable: Answerable;
  readonly reserved: Reserved;
  readonly approved: Approved;
  readonly recorded: Recorded;
  readonly sent: Sent;
  readonly answered: Answered;
  readonly ended: Ended;
  readonly stopped: Stopped;
}

/** Names of the stages that can be used where `Expected` is required. */
type Fitting<Expected> = {
  [Name in keyof Stages]: Stages[Name] extends Expected ? Name : never;
}[keyof Stages];

/** Names of the stages that a step accepts. */
type TakenBy<Step extends (parts: never, stage: never) => unknown> = Fitting<Parameters<Step>[1]>;

/** Takes code that must be accepted or refused by the type checker; the code never runs. */
function declareFacts(_facts: (parts: CallParts, stages: Stages) => unknown): void {
  expect.assertions(0);
}

test("each step of a call accepts only the stage before it, and the last step also a stop", () => {
  expectTypeOf<TakenBy<typeof Judged.judge>>().toEqualTypeOf<"proposed">();
  expectTypeOf<TakenBy<typeof Recordable.confirm>>().toEqualTypeOf<"judged">();
  expectTypeOf<TakenBy<typeof Answerable.find>>().toEqualTypeOf<"recordable">();
  expectTypeOf<TakenBy<typeof Reserved.reserve>>().toEqualTypeOf<"answerable">();
  expectTypeOf<TakenBy<typeof Approved.approve>>().toEqualTypeOf<"reserved">();
  expectTypeOf<TakenBy<typeof Recorded.record>>().toEqualTypeOf<"approved">();
  expectTypeOf<TakenBy<typeof Sent.send>>().toEqualTypeOf<"recorded">();
  expectTypeOf<TakenBy<typeof Answered.admit>>().toEqualTypeOf<"sent">();
  expectTypeOf<TakenBy<typeof Ended.conclude>>().toEqualTypeOf<"answered" | "stopped">();
});

test("each step of a call returns the next stage or a stop, and skips no stage", () => {
  expectTypeOf(Judged.judge).returns.toEqualTypeOf<Judged | Stopped>();
  expectTypeOf(Recordable.confirm).returns.resolves.toEqualTypeOf<Recordable | Stopped>();
  expectTypeOf(Reserved.reserve).returns.resolves.toEqualTypeOf<Reserved | Stopped>();
  expectTypeOf(Sent.send).returns.resolves.toEqualTypeOf<Sent | Stopped>();
  expectTypeOf(Ended.conclude).returns.resolves.toEqualTypeOf<Ended>();
});

test("a service is called only with a recorded call", () => {
  type Called = Fitting<Parameters<Services["call"]>[0]>;
  expectTypeOf<Called>().toEqualTypeOf<"recorded">();
  declareFacts(({ services }, { approved, judged, recorded }) => {
    // @ts-expect-error the call is not recorded
    void services.call(approved, {});
    // @ts-expect-error the call is approved, and not recorded
    void services.call({ approved }, {});
    // @ts-expect-error nobody was asked about the call
    void services.call(judged, {});
    // @ts-expect-error only the arguments that were decided can be sent
    void services.call(recorded, '{"path":"b"}', {});
  });
  // The code of a step or of a person's command cannot reach a `Provider`, with which it could call a service directly.
  type InReach = CallParts[keyof CallParts] | Gate["parts"][keyof Gate["parts"]] | Gate["services"];
  expectTypeOf<Extract<InReach, Provider | ReadonlyMap<string, Provider>>>().toEqualTypeOf<never>();
});

test("sends no call that was not approved, charged and recorded", () => {
  declareFacts(async (parts, { proposed, judged, recordable, answerable, reserved, approved }) => {
    // @ts-expect-error the call is not decided
    void Recordable.confirm(parts, proposed);
    // @ts-expect-error the audit was not asked
    void Answerable.find(parts, judged);
    // @ts-expect-error it is not known whether a person can be asked about the call
    void Reserved.reserve(parts, recordable);
    // @ts-expect-error the call is not charged
    void Approved.approve(parts, answerable);
    // @ts-expect-error the call is not approved
    void Recorded.record(parts, reserved);
    // @ts-expect-error the call is not recorded
    void Sent.send(parts, approved);
    // @ts-expect-error the check for a stop was left out
    void Sent.send(parts, await Recorded.record(parts, approved));
  });
});

test("an answer is returned only if it is recorded", () => {
  expectTypeOf<Fitting<Ended>>().toEqualTypeOf<"ended">();
  declareFacts((parts, { recorded, sent }) => {
    // @ts-expect-error the call is not sent
    void Answered.admit(parts, recorded);
    // @ts-expect-error the state of the conversation does not yet include the answer
    void Ended.conclude(parts, sent);
  });
});

test("only its own step can make a stage of a call, and no code can forge, copy or change a stage", () => {
  declareFacts((_parts, { judged, reserved, approved, recorded }) => {
    // @ts-expect-error only its own step can call the constructor
    const made = new Approved(reserved, "auto", "", 0);
    // @ts-expect-error only its own step can call the constructor
    const kept = new Recorded(approved, 0n);
    // @ts-expect-error an object with the same fields is not a stage
    const forged: Recorded = { approved, intent: 1n };
    // @ts-expect-error a copy with other arguments is not a stage
    const other: Judged = { ...judged, decision: { ...judged.decision, arguments: "{}" } };
    // @ts-expect-error the arguments cannot be changed
    judged.decision.arguments = "{}";
    // @ts-expect-error the approval cannot be changed
    recorded.approved = approved;
    return [made, kept, forged, other];
  });
});

test("the permission of an approved call is never a refusal", () => {
  type Refused = "denied" | "forbidden" | "notReached" | "stepUpFailed";
  expectTypeOf<Extract<Approved["permission"], Refused>>().toEqualTypeOf<never>();
});
