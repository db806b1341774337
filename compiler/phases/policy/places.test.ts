import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { listExtended } from "./place.ts";
import { countRows, enumeratePlaces } from "./places.ts";

const SESSIONS = (rest: string) =>
  renderFactsPage({
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly } }
      ${rest}  session alone { kind guest  models { auto canned }  permit { auto readOnly } }`,
  });

/**
 * Returns the rows of a page, and the number of rows that `countRows` computes. Each row is a text of session, task,
 * phase and worker, such as `operator.triage.look`.
 */
async function rowsOf(rest: string): Promise<{ rows: string[]; counted: number }> {
  const model = await bindModel(SESSIONS(rest));
  const rows = enumeratePlaces(model).map(({ session, task, phase, worker }) =>
    [session.id, task?.name, phase?.name, worker?.name].filter((name) => name !== undefined).join("."),
  );
  return { rows, counted: countRows(model) };
}

test.each([
  ["sessions alone", "", ["alone", "operator"]],
  ["an empty task is one row", "task t in operator {}", ["alone", "operator", "operator.t"]],
  [
    "a task with phases has a row for each phase, and two tasks of a session are two rows",
    "task t in operator { phase b {}  phase a after consent {} }  task s in operator {}",
    ["alone", "operator", "operator.s", "operator.t.b", "operator.t.a"],
  ],
  [
    "a session has the tasks of the session that it extends, and not those of its defaults",
    "task t in operator {}  session heir extends operator {}  session like from operator {}",
    ["alone", "heir", "heir.t", "like", "operator", "operator.t"],
  ],
  [
    "a worker of a session has a row in each of its places",
    "task t in operator { phase a {} }  worker w in operator {}  worker v in operator {}",
    ["alone", "operator", "operator.v", "operator.w", "operator.t.a", "operator.t.a.v", "operator.t.a.w"],
  ],
])("%s", async (_, rest, expected) => {
  const { rows, counted } = await rowsOf(rest);
  expect(rows).toEqual(expected);
  expect(counted).toBe(expected.length);
});

test("a worker of a task has rows only in that task, but countRows counts it for the whole session", async () => {
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

test("the list of extended sessions ends at a session that is declared `from` another session", async () => {
  const { sessions } = await bindModel(
    SESSIONS("session like from operator {}  session heir extends like {}  session last extends heir {}"),
  );
  const lines = sessions.filter(({ own }) => own).map((session) => listExtended(session).map(({ id }) => id));
  expect(lines).toEqual(
    expect.arrayContaining([["operator"], ["like"], ["heir", "like"], ["last", "heir", "like"], ["alone"]]),
  );
});

test("a worker in the task of an extending session is counted where the task is declared", async () => {
  const { rows, counted } = await rowsOf(
    "task t in operator {}  session heir extends operator {}  worker w in heir.t {}",
  );
  expect(rows).toEqual(["alone", "heir", "heir.t", "heir.t.w", "operator", "operator.t", "operator.t.w"]);
  expect(counted).toBe(1 + 2 * 2 + 2 * 2);
});

test("a session whose base is missing extends only itself", async () => {
  const [session] = (await bindModel(SESSIONS(""))).sessions.filter(({ own }) => own);
  if (session === undefined) throw new Error("the page has sessions");
  const orphan = { ...session, relation: "extends", base: undefined } as const;
  expect(listExtended(orphan)).toEqual([orphan]);
});
