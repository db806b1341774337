import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { Chain } from "../../../engine/processes/audit/chain.ts";
import {
  bootOf,
  bytesOf,
  callOf,
  intentOf,
  linked,
  outcomeOf,
  smallLog,
  stampOf,
} from "../../../engine/processes/audit/testing/sample.ts";
import { dispatch } from "../dispatch.ts";
import { createMemoryWorld, runCommand } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-audit-export-"));
const log = join(folder, "audit.log");
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["audit", ...words], { folder });

async function exported(...words: string[]) {
  const { status, out } = await say("export", "audit.log", ...words);
  return {
    status,
    events: out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

test("export prints each record as one line of JSON, as show does, and --after omits the earlier records", async () => {
  writeFileSync(log, bytesOf(smallLog()));
  const { records } = JSON.parse((await say("show", "audit.log", "--json")).out);
  expect(await exported()).toEqual({ status: 0, events: records });
  expect(await exported("--format", "jsonl", "--after", "3")).toEqual({ status: 0, events: records.slice(3) });
  expect(await exported("--after", "99")).toEqual({ status: 0, events: [] });
});

test("export of a damaged log prints the records before the damage, and exits with 1", async () => {
  const links = smallLog();
  writeFileSync(log, bytesOf([...links.slice(0, 2), ...links.slice(3)]));
  const { status, out, err } = await say("export", "audit.log");
  expect([status, out.trimEnd().split("\n").length]).toEqual([1, 2]);
  expect(err).toContain("where record 3 belongs");
});

test("exports calls as OCSF API Activity, an intent and its outcome as one call, and boots as Application Lifecycle", async () => {
  writeFileSync(log, bytesOf(smallLog()));
  const { events } = await exported("--format", "ocsf");
  expect(
    events.map(({ class_uid, activity_id, type_uid, status_id }) => [class_uid, activity_id, type_uid, status_id]),
  ).toEqual([
    [6002, 3, 600203, 1],
    [6003, 2, 600302, 0],
    [6003, 2, 600302, 1],
    [6002, 99, 600299, 1],
    [6003, 2, 600302, 0],
  ]);
  const [boot, intent, outcome, session] = events;
  expect(boot).toMatchObject({ app: { name: "first-agent", version: "1.0.0" }, unmapped: { orphans: [] } });
  expect(outcome).toMatchObject({
    category_uid: 6,
    time: 1_800_000_000_000,
    severity_id: 1,
    status: "ok",
    api: {
      operation: "notes.read",
      service: { name: "notes" },
      request: { uid: "call-1" },
      response: { message: "ok" },
    },
    actor: { session: { uid: `${"01".repeat(16)}:operator` }, app_name: "capos-side" },
    src_endpoint: { name: "gate.operator" },
    metadata: { version: "1.2.0", product: { vendor_name: "capOS" }, sequence: 3 },
    unmapped: {
      model: "stub",
      backend: "canned",
      turn: 1,
      rule: "permit 1",
      decision: "auto",
      arguments: '{"path":"todo.txt"}',
    },
  });
  expect(outcome.metadata.correlation_uid).toBe(intent.metadata.correlation_uid);
  expect(session).toMatchObject({ activity_name: "revoked", message: "notes", app: { name: "operator" } });
});

test("exports a refused call as a failure, with the reason and the user who was asked", async () => {
  const chain = new Chain();
  const denied = { outcome: "deniedByUser", error: "no", principal: "alice", decision: "denied" } as const;
  const { descriptor } = callOf();
  const call = { ...denied, descriptor: { ...descriptor, name: "notes.delete", category: "destructive" } };
  const entries = [bootOf(), outcomeOf(0n, call)];
  writeFileSync(log, bytesOf(entries.map((entry) => linked(chain, entry, stampOf(1, "gate.operator")))));
  const { events } = await exported("--format", "ocsf");
  expect(events[1]).toMatchObject({
    activity_id: 99,
    activity_name: "destructive",
    severity_id: 2,
    status_id: 2,
    status: "deniedByUser",
    status_detail: "no",
    actor: { user: { name: "alice" } },
  });
});

test("exports an event as one line, whatever text the call contains", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), async (one, other) => {
      const chain = new Chain();
      const { descriptor } = callOf();
      const call = { arguments: one, error: other, descriptor: { ...descriptor, name: other, category: one } };
      const entries = [bootOf(), intentOf(call), outcomeOf(2n, call)];
      const links = entries.map((entry) => linked(chain, entry, stampOf(1, "gate.operator")));
      writeFileSync(log, bytesOf(links));
      for (const format of ["jsonl", "ocsf"]) expect((await exported("--format", format)).events).toHaveLength(3);
    }),
    { numRuns: 30 },
  );
});

/** Follows the log; `next` resolves with the printed lines as soon as there are `count` of them. */
function following(...words: string[]) {
  const stop = new AbortController();
  const lines: string[] = [];
  let wake = (): void => {};
  const print = (text: string): void => {
    lines.push(...text.split("\n").slice(0, -1));
    wake();
  };
  const world = createMemoryWorld({ folder, interrupted: stop.signal, print });
  const ended = dispatch(["audit", "follow", "audit.log", ...words], world);
  const next = async (count: number): Promise<readonly string[]> => {
    while (lines.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return lines;
  };
  return { next, stop: () => stop.abort(), ended, reported: world.reported };
}

test("follow prints records as the machine writes them, until a person interrupts it", async () => {
  const links = smallLog();
  writeFileSync(log, bytesOf(links.slice(0, 2)));
  const follower = following();
  expect(await follower.next(2)).toHaveLength(2);
  writeFileSync(log, bytesOf(links), { flag: "r+" });
  const lines = await follower.next(5);
  expect(lines.map((line) => line.trim().split(" ")[0])).toEqual(["1", "2", "3", "4", "5"]);
  follower.stop();
  expect(await follower.ended).toBe(0);
});

test("follow stops if the log is damaged or if a printed record has changed", async () => {
  writeFileSync(log, bytesOf(smallLog()));
  const follower = following("--format", "ocsf", "--after", "4");
  expect(JSON.parse((await follower.next(1))[0] ?? "")).toMatchObject({ metadata: { sequence: 5 } });
  const chain = new Chain();
  const other = [bootOf(), intentOf(), intentOf(), intentOf(), intentOf({ callId: "another" })];
  writeFileSync(log, bytesOf(other.map((entry) => linked(chain, entry, stampOf(1, "gate.operator")))), { flag: "r+" });
  expect(await follower.ended).toBe(1);
  expect(follower.reported()).toMatch(/record 5 is another than the one that was told|damaged at byte/);
  writeFileSync(log, "what is this?");
  const second = following();
  expect(await second.ended).toBe(1);
  expect(second.reported()).toContain("damaged at byte 0, where record 1 belongs");
});

const exportTo = async (name: string, ...words: string[]): Promise<readonly string[]> => {
  const { out } = await say("export", "audit.log", ...words);
  writeFileSync(join(folder, name), out);
  return out.split("\n").slice(0, -1);
};

test("verifies a whole export, and an export that begins at a later record, without the disk", async () => {
  const links = smallLog();
  const hash = Buffer.from(links.at(-1)?.hash ?? []).toString("hex");
  writeFileSync(log, bytesOf(links));
  await exportTo("whole.jsonl");
  const whole = await say("verify", "whole.jsonl", "--known", hash);
  expect([whole.status, whole.out]).toEqual([0, expect.stringContaining("5 records, from 1 to 5\n")]);
  expect(whole.out).toContain(`last hash: ${hash}\nsealed: nothing\nknown hash: record 5 has it\nverdict: in order\n`);
  await exportTo("part.jsonl", "--after", "2");
  const part = await say("verify", "part.jsonl", "--json");
  const previous = Buffer.from(links[1]?.hash ?? []).toString("hex");
  expect(JSON.parse(part.out)).toMatchObject({ inOrder: true, records: 3, first: 3, last: 5, previous, fault: null });
  expect((await say("verify", "part.jsonl")).out).toContain(`before it: record 2, of the hash ${previous}\n`);
  expect(await say("verify", "part.jsonl", "--known", previous)).toMatchObject({
    status: 1,
    out: expect.stringContaining("verdict: IN ORDER, BUT NOT THE LOG THAT WAS NOTED"),
  });
  expect((await say("show", "part.jsonl")).err).toContain("is an export already; verify and summary read one");
});

test("reports a changed, missing, inserted or malformed line of an export with its number", async () => {
  writeFileSync(log, bytesOf(smallLog()));
  const lines = await exportTo("whole.jsonl");
  const [one = "", two = "", three = "", four = "", five = ""] = lines;
  const why = async (...changed: readonly string[]): Promise<string> => {
    writeFileSync(join(folder, "changed.jsonl"), changed.map((line) => `${line}\n`).join(""));
    const { status, out } = await say("verify", "changed.jsonl");
    return `${status} ${/verdict: (.*)/.exec(out)?.[1]}`;
  };
  expect(await why(one, two, three, four, five)).toBe("0 in order");
  expect(await why(one, two.replace("todo.txt", "diary.txt"), three)).toBe("1 DAMAGED in line 2: its hash is another");
  expect(await why(one, three)).toMatch(/^1 DAMAGED in line 2: sequence 3 stands where 2 belongs/);
  expect(await why(three, five)).toBe("1 DAMAGED in line 2: record 5 stands where 4 belongs");
  expect(await why(one, one)).toMatch(/^1 DAMAGED in line 2: /);
  expect(await why(one, two, "{}")).toBe("1 DAMAGED in line 3: it is not a record");
  expect(await why(one, two.replace('"writer"', '"more":1,"writer"'))).toBe("1 DAMAGED in line 2: it is not a record");
  expect(await why(one, two.replace('"sequence":2', '"sequence":"2"'))).toBe("1 DAMAGED in line 2: it is not a record");
  expect(await why(one, "{")).toBe("1 DAMAGED in line 2: it is not JSON");
  writeFileSync(join(folder, "changed.jsonl"), `${one}\n${two.slice(0, -9)}`);
  expect((await say("verify", "changed.jsonl")).out).toContain("DAMAGED in line 2: it is cut short");
  writeFileSync(join(folder, "changed.jsonl"), Buffer.concat([Buffer.from("{"), Buffer.alloc(9 * 1024 * 1024, 32)]));
  expect((await say("verify", "changed.jsonl")).out).toContain("DAMAGED in line 1: it is longer than a record");
  writeFileSync(join(folder, "changed.jsonl"), Buffer.from([0x7b, 0xff, 0x0a]));
  expect((await say("verify", "changed.jsonl")).out).toContain("DAMAGED in line 1: it is not UTF-8");
});

test("accepts an export that was made before records had the field `sent`", async () => {
  writeFileSync(log, bytesOf(smallLog()));
  const lines = await exportTo("whole.jsonl");
  const before = lines.map((line) => line.replace(',"sent":false', ""));
  expect(before.filter((line, index) => line !== lines[index])).toHaveLength(3);
  const verdict = async (records: readonly string[]) => {
    writeFileSync(join(folder, "before.jsonl"), records.map((line) => `${line}\n`).join(""));
    return (await say("verify", "before.jsonl")).out;
  };
  expect(await verdict(before)).toContain("verdict: in order");
  expect(await verdict(lines.map((line) => line.replace('"sent":false', '"sent":null')))).toContain(
    "it is not a record",
  );
});

test("accepts an export that was made before records had the fields `askedMs` and `surface`", async () => {
  const chain = new Chain();
  const asked = { decision: "consented", askedMs: 3400, surface: "console" } as const;
  const entries = [bootOf(), intentOf(), outcomeOf(2n, { error: "x" }), intentOf(asked)];
  const links = entries.map((entry) => linked(chain, entry, stampOf(1, "gate.operator")));
  writeFileSync(log, bytesOf(links));
  const lines = await exportTo("whole.jsonl");
  const verdict = async (records: readonly string[]) => {
    writeFileSync(join(folder, "before.jsonl"), records.map((line) => `${line}\n`).join(""));
    return (await say("verify", "before.jsonl")).out;
  };
  const drop = (line: string) => line.replace(/,"askedMs":\d+,"surface":"\w*"/, "");
  expect(await verdict(lines)).toContain("verdict: in order");
  expect(await verdict([...lines.slice(0, 3).map(drop), ...lines.slice(3)])).toContain("verdict: in order");
  expect(await verdict(lines.map(drop))).toContain("DAMAGED in line 4: its hash is another");
  expect((await exported("--format", "ocsf")).events[3].unmapped).toMatchObject({ askedMs: 3400, surface: "console" });
});

test("reports a change of any character of an export if the change alters a record", async () => {
  writeFileSync(log, bytesOf(smallLog()));
  const text = (await exportTo("whole.jsonl")).map((line) => `${line}\n`).join("");
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 2), fc.constantFrom("x", "0", '"', "}", " "), async (at, letter) => {
      fc.pre(at > 0 && text[at] !== letter);
      writeFileSync(join(folder, "changed.jsonl"), text.slice(0, at) + letter + text.slice(at + 1));
      const { status, out } = await say("verify", "changed.jsonl");
      // The comparison ignores the record's offset and length, which are not parts of the record, and ignores spaces
      // between JSON tokens.
      const line = text.slice(0, at).split("\n").length - 1;
      const told = (all: string): unknown => {
        const { offset: _, length: __, ...record } = JSON.parse(all.split("\n")[line] ?? "");
        return record;
      };
      if (status === 0) expect(told(text.slice(0, at) + letter + text.slice(at + 1))).toEqual(told(text));
      else expect(out).toContain("DAMAGED in line");
    }),
    { numRuns: 60 },
  );
});
