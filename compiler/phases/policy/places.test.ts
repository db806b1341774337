import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { listExtended } from "./place.ts";
import { countRows, enumeratePlaces } from "./places.ts";

const SESSIONS = (rest: string) =>
  renderFactsPage({
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly } }
      ${rest}  session alone { kind guest  models { auto canned }  permit { auto readOnly } }`,
  });

/** The rows of a page, each by the names of its parts; and how many it was taken for. */
async function rowsOf(rest: string): Promise<{ rows: string[]; counted: number }> {
  const model = await bindModel(SESSIONS(rest));
  const rows = enumeratePlaces(model).map(({ session, task, phase, worker }) =>
    [session.id, task?.name, phase?.name, worker?.name].filter((name) => name !== undefined).join("."),
  );
  return { rows, counted: countRows(model) };
}

test.each([
  ["sessions alone", "", ["alone", "operator"]],
  ["a task is one row, whatever it says", "task t in operator {}", ["alone", "operator", "operator.t"]],
  [
    "a task with phases is always in one of them, and two tasks of a session are two",
    "task t in operator { phase b {}  phase a after consent {} }  task s in operator {}",
    ["alone", "operator", "operator.s", "operator.t.b", "operator.t.a"],
  ],
  [
    "an heir has what it extends has, and what it takes its defaults from has not",
    "task t in operator {}  session heir extends operator {}  session like from operator {}",
    ["alone", "heir", "heir.t", "like", "operator", "operator.t"],
  ],
  [
    "a worker of a session starts in each of its places",
    "task t in operator { phase a {} }  worker w in operator {}  worker v in operator {}",
    ["alone", "operator", "operator.v", "operator.w", "operator.t.a", "operator.t.a.v", "operator.t.a.w"],
  ],
])("%s", async (_, rest, expected) => {
  const { rows, counted } = await rowsOf(rest);
  expect(rows).toEqual(expected);
  expect(counted).toBe(expected.length);
});

test("a worker of a task starts in that task alone; counted, before anything is made, as if in its whole session", async () => {
  const { rows, counted } = await rowsOf(
    "task s in operator {}  task t in operator { phase a {} phase b after consent {} }  worker w in t {}",
  );
  expect(rows).toEqual([
    "alone",
    "operator",
    "operator.s",
    "operator.t.a",
    "operator.t.a.w",
    "operator.t.b",
    "operator.t.b.w",
  ]);
  expect(counted).toBe(1 + 4 * 2);
});

test("extending ends where a session takes its defaults from another one", async () => {
  const { sessions } = await bindModel(
    SESSIONS("session like from operator {}  session heir extends like {}  session last extends heir {}"),
  );
  const lines = sessions.filter(({ own }) => own).map((session) => listExtended(session).map(({ id }) => id));
  expect(lines).toEqual(
    expect.arrayContaining([["operator"], ["like"], ["heir", "like"], ["last", "heir", "like"], ["alone"]]),
  );
});

test("a worker in the task of an heir is counted where the task is written", async () => {
  const { rows, counted } = await rowsOf(
    "task t in operator {}  session heir extends operator {}  worker w in heir.t {}",
  );
  expect(rows).toEqual(["alone", "heir", "heir.t", "heir.t.w", "operator", "operator.t", "operator.t.w"]);
  expect(counted).toBe(1 + 2 * 2 + 2 * 2);
});

test("a session that extends what the page does not have extends nothing", async () => {
  const [session] = (await bindModel(SESSIONS(""))).sessions.filter(({ own }) => own);
  if (session === undefined) throw new Error("the page has sessions");
  const orphan = { ...session, relation: "extends", base: undefined } as const;
  expect(listExtended(orphan)).toEqual([orphan]);
});
