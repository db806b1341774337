import { beforeAll, expect, test } from "vitest";
import { SampleLog } from "./testing/log.ts";
import { bent, PAGE, type Rules, replayed, rulesOf, TASK, told } from "./testing/page.ts";

let rules: Rules;
beforeAll(async () => {
  rules = await rulesOf(PAGE);
});

const WRITE = { content: "x", path: "a.txt" };
const CONSENTED = { decision: "consented" } as const;

test("remembered consent counts as one prompt until it is revoked or expires", () => {
  const remembered = { decision: "remembered", consent: 1 } as const;
  const once = () => new SampleLog().boot().ran("notes.write", WRITE, { ...CONSENTED, consent: 1 });
  const log = once().ran("notes.write", WRITE, remembered);
  expect(replayed(rules, log).prompts.days).toMatchObject([{ before: 1, after: 1 }]);
  const again = once().event("consent taken back", "1").ran("notes.write", WRITE, CONSENTED);
  expect(replayed(rules, again).prompts.days).toMatchObject([{ before: 2, after: 2 }]);
  const late = once().later(61).ran("notes.write", WRITE, CONSENTED);
  expect(replayed(rules, late).prompts.days).toMatchObject([{ before: 2, after: 2 }]);
  expect(told(replayed(rules, log))).toEqual([]);
});

test("without remembered consent, a page needs a prompt for each call", async () => {
  const log = new SampleLog()
    .boot()
    .ran("notes.write", WRITE, { ...CONSENTED, consent: 1 })
    .ran("notes.write", WRITE, { decision: "remembered", consent: 1 });
  const found = replayed(await bent("remember conversation", ""), log);
  expect([told(found), found.prompts.days]).toMatchObject([[], [{ before: 1, after: 2 }]]);
});

const QUOTA = "permit { auto readOnly  consent mutatingLocal }";

test("quotas are counted per turn, hour and day as the broker counts them", async () => {
  const read = (log: SampleLog, turn: number) => log.ran("notes.read", { path: "a" }, { turn });
  const log = new SampleLog().boot();
  for (const turn of [1, 1, 2, 2]) read(log, turn);
  const perTurn = await bent(QUOTA, `${QUOTA} quota { 1 calls per turn }`);
  expect(told(replayed(perTurn, log))).toEqual([
    "notes.read: auto → refusedByPolicy, narrowed",
    "notes.read: auto → refusedByPolicy, narrowed",
  ]);
  const perHour = await bent(QUOTA, `${QUOTA} quota { 4 calls per hour }`);
  expect(replayed(perHour, read(read(log, 3).later(70), 3)).counts.narrowed).toBe(1);
  const perDay = await bent(QUOTA, `${QUOTA} quota { 6 calls per day }`);
  expect(replayed(perDay, read(log.boot(), 1)).otherwise).toMatchObject([
    { now: { reason: expect.stringMatching(/^used up: 6 calls per day .*: 6 of 6 spent/) } },
  ]);
  expect(replayed(perDay, read(log.later(1440).boot(), 1)).counts.narrowed).toBe(1);
});

test("usage before the beginning of a log is unknown, except in a turn that begins in the log", async () => {
  const log = new SampleLog().boot();
  for (const turn of [1, 2]) log.ran("notes.read", { path: "a" }, { turn });
  const found = async (quota: string) =>
    told(replayed(await rulesOf(PAGE.replace(QUOTA, `${QUOTA} quota { ${quota} }`).replace(TASK, "")), log, 3));
  expect(await found("9 calls per turn")).toEqual([
    'notes.read: auto → (how much of "quota 9 calls per turn" was used is not on record: the log may begin within the turn)',
  ]);
  expect(await found("9 calls per login")).toHaveLength(2);
  expect(await found("9 calls per day")).toHaveLength(2);
  expect(await found("9 mutatingLocal per day")).toEqual([]);
});

test("a quota per login starts again with each login, and a quota per principal does not", async () => {
  const counted = async (quota: string) => {
    const page = PAGE.replace("principals alice", "principals alice  login key");
    const rules = await rulesOf(page.replace(QUOTA, `${QUOTA} quota { ${quota} }`));
    const log = new SampleLog().boot().event("login", "alice").ran("notes.read", { path: "a" }, { turn: 1 });
    return told(replayed(rules, log.event("login", "alice").ran("notes.read", { path: "a" }, { turn: 2 })));
  };
  expect(await counted("1 calls per login")).toEqual([]);
  expect(await counted("1 calls per principal")).toEqual(["notes.read: auto → refusedByPolicy, narrowed"]);
});
