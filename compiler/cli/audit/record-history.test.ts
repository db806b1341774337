import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { AuditEntry } from "../../../engine/lib/wire/generated/audit.ts";
import { Chain } from "../../../engine/processes/audit/chain.ts";
import {
  bootOf,
  bytesOf,
  intentOf,
  linked,
  outcomeOf,
  sessionOf,
  stampOf,
} from "../../../engine/processes/audit/testing/sample.ts";
import { runCommand } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-audit-way-"));
afterAll(() => rmSync(folder, { recursive: true }));

const [NONCE, OTHER, NONE] = [Buffer.alloc(16, 7), Buffer.alloc(16, 8), Buffer.alloc(0)];
const usage = { promptTokens: 5, outputTokens: 3 };
const place = { session: "operator", conversation: "c1", turn: 1, model: "stub", backend: "canned" };
const messages = [{ role: "user" as const, bytes: 9, hash: Buffer.alloc(32, 9) }];

const inference = (nonce: Uint8Array): AuditEntry => ({
  which: "inference",
  inference: { ...place, nonce, usage, earlier: 2, messages, recalled: [4n, 9n], masked: [], isWithheld: false },
});

const ENTRIES: readonly AuditEntry[] = [
  bootOf(),
  inference(NONCE),
  intentOf({ nonce: NONCE }),
  inference(OTHER),
  outcomeOf(3n, { nonce: NONCE }),
  intentOf({ nonce: NONE, runner: "person" }),
  sessionOf("notes"),
  outcomeOf(6n, { nonce: NONE, runner: "person" }),
];

async function shown(...words: string[]): Promise<string> {
  const chain = new Chain();
  const links = ENTRIES.map((entry) => linked(chain, entry, stampOf(1, "gate.operator")));
  writeFileSync(join(folder, "audit.log"), bytesOf(links));
  const { status, out, err } = await runCommand(["audit", "show", "audit.log", ...words], { folder });
  const numbers = out.split("\n").flatMap((line) => /^ +(\d+) /.exec(line)?.[1] ?? []);
  return `${status} ${numbers.join(" ")}${err.replaceAll(`${folder}/`, "")}`;
}

test("the history of a record consists of a model answer, the calls that the answer proposed, and the outcomes of these calls", async () => {
  for (const of of ["2", "3", "5"]) expect(await shown("--of", of)).toBe("0 2 3 5");
  expect(await shown("--of", "4")).toBe("0 4");
});

test("the history of a call that a person typed consists of its intent and its outcome", async () => {
  for (const of of ["6", "8"]) expect(await shown("--of", of)).toBe("0 6 8");
  expect([await shown("--of", "7"), await shown("--of", "1")]).toEqual(["0 7", "0 1"]);
});

test("shows a model answer as one line with counts and hashes, without the text of the prompt or the answer", async () => {
  const { out } = await runCommand(["audit", "show", "audit.log", "--of", "2"], { folder });
  expect(out).toContain(
    `answer of canned (operator, c1, turn 1, request ${"07".repeat(16)}); 5 tokens read and 3 written; 2 messages told before, sayings 4, 9 recalled, user 9 bytes sha256 0909090909090909\n`,
  );
});

test("refuses a record that does not exist and a value that is not a number", async () => {
  expect(await shown("--of", "9")).toBe("1 capc audit: audit.log: there is no record 9 in what is in order\n");
  expect(await shown("--of", "x")).toBe("2 capc audit: --of is the number of a record\n");
});
