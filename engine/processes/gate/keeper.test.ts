// Tests which states the gate sends to the broker, and which states count as recorded.
import { expect, test } from "vitest";
import { beginIn } from "../../lib/policy/conversation.ts";
import { FINANCE, indexed, PUBLIC, row, SECRET } from "../../lib/policy/testing/sample.ts";
import { ConversationState } from "../../lib/wire/generated/conversations.ts";
import { Broker } from "../../lib/wire/generated/wire.ts";
import { decode, type Implementation, implement, makeFailure } from "../../lib/wire/index.ts";
import { Keeper } from "./keeping.ts";
import { held } from "./testing/neighbours.ts";

const rows = [row("operator", [2])];
const tables = indexed({ rows });
const [own = row("operator", [2])] = rows;
const AT = beginIn(own, 0);
const HIGHER = { ...AT, label: SECRET };

/** A broker that stores only the states of conversations, and whose calls fail if the test requires this. */
class Kept {
  readonly states = new Map<string, Uint8Array>();
  /** Labels of the states that the broker was asked to store. */
  readonly asked: number[] = [];
  fails: "nothing" | "answers" | "everything" = "nothing";
  readonly keeper: Keeper;

  constructor(page = tables) {
    const parts = { tables: page, policyDigest: new Uint8Array(32), session: "operator" };
    this.keeper = new Keeper({ ...parts, broker: held(this.#broker()) });
  }

  #broker(): Implementation {
    const refused = async () => makeFailure("failed", "not here");
    const others = { reserve: refused, settle: refused, challenge: refused, prove: refused, remember: refused };
    const more = { recall: refused, consents: refused, takeBack: refused, infer: refused, settleTokens: refused };
    const logins = { loginChallenge: refused, renew: refused, login: refused, logout: refused, remaining: refused };
    const sources = { keepSources: refused, keptSources: refused };
    return implement(Broker, {
      ...{ ...others, ...more, ...logins, ...sources },
      keep: async ({ conversation, state }) => {
        const read = decode(ConversationState, state);
        this.asked.push(read.ok ? read.value.label.confidentiality : -1);
        if (this.fails !== "everything") this.states.set(conversation, state);
        return this.fails === "nothing" ? {} : makeFailure("failed", "it is lost");
      },
      kept: async ({ conversation }) => {
        if (this.fails === "everything") return makeFailure("failed", "it is lost");
        return { state: this.states.get(conversation) ?? new Uint8Array() };
      },
      forget: async ({ conversation }) => {
        if (this.fails !== "nothing") return makeFailure("failed", "it is lost");
        this.states.delete(conversation);
        return {};
      },
    });
  }
}

test("sends a state again only if it changed since the broker acknowledged it", async () => {
  const { keeper, asked } = new Kept();
  expect([await keeper.keep("a", AT, 1), await keeper.keep("a", AT, 1)]).toEqual([true, true]);
  expect(asked).toEqual([0]);
  await keeper.keep("a", HIGHER, 1);
  await keeper.keep("b", AT, 1);
  await keeper.keep("a", HIGHER, 2);
  expect(asked).toEqual([0, 2, 0, 2]);
});

test("sends an unacknowledged state again", async () => {
  const kept = new Kept();
  kept.fails = "answers";
  // The broker stores the state, but its answer is lost. The keeper asks which state is stored, so the state counts as
  // recorded.
  expect(await kept.keeper.keep("a", AT, 1)).toBe(true);
  kept.fails = "nothing";
  expect(await kept.keeper.keep("a", AT, 1)).toBe(true);
  expect(kept.asked).toEqual([0, 0]);
});

test("if the broker does not answer, a raised label counts as not recorded, because the broker may still have the lower label", async () => {
  const kept = new Kept();
  await kept.keeper.keep("a", AT, 1);
  kept.fails = "everything";
  expect(await kept.keeper.keep("a", HIGHER, 1)).toBe(false);
  expect(await kept.keeper.keep("b", HIGHER, 1)).toBe(false);
});

test("sends the first state of a conversation once, and does not send a state that the broker has already returned", async () => {
  const kept = new Kept();
  kept.keeper.keepFirst("a", AT, 1);
  await kept.keeper.keep("a", AT, 1);
  kept.keeper.keepFirst("a", AT, 2);
  await kept.keeper.keep("b", AT, 1);
  expect(kept.asked).toEqual([0, 0]);
  const later = new Kept();
  later.states.set("a", kept.states.get("a") ?? new Uint8Array());
  expect(await later.keeper.loadStanding("a")).toMatchObject({ isRecorded: true, turn: 1 });
  expect(await later.keeper.keep("a", AT, 1)).toBe(true);
  expect(later.asked).toEqual([]);
});

test("the recorded state is unknown if the broker does not answer", async () => {
  const kept = new Kept();
  kept.fails = "everything";
  expect(await kept.keeper.loadStanding("a")).toBeUndefined();
});

test("sends the first state again after the conversation was forgotten; forgetting fails with the broker's reason", async () => {
  const kept = new Kept();
  await kept.keeper.keep("a", AT, 1);
  expect(await kept.keeper.forget("a")).toBeUndefined();
  kept.keeper.keepFirst("a", AT, 1);
  await kept.keeper.keep("a", AT, 1);
  expect(kept.asked).toEqual([0, 0]);
  kept.fails = "everything";
  expect(await kept.keeper.forget("a")).toBe("it is lost");
  kept.keeper.keepFirst("a", AT, 1);
  await kept.keeper.keep("a", AT, 1);
  expect(kept.asked).toEqual([0, 0]);
});

test("records a label without the names of its compartments if the names are too long", async () => {
  const compartments = ["finance", "x".repeat(4200)];
  const { lattice } = tables;
  const kept = new Kept(indexed({ rows, lattice: { ...lattice, compartments } }));
  const nameOf = (name: string) => {
    const read = decode(ConversationState, kept.states.get(name) ?? new Uint8Array());
    return read.ok && [read.value.confidentiality, read.value.compartments];
  };
  await kept.keeper.keep("a", { ...AT, label: { ...PUBLIC, compartments: FINANCE } }, 1);
  await kept.keeper.keep("b", { ...AT, label: { ...PUBLIC, compartments: 3n } }, 1);
  expect([nameOf("a"), nameOf("b")]).toEqual([
    ["public", ["finance"]],
    ["", []],
  ]);
});
