// For tests: a daemon of the page in this folder, which works in a temporary folder and keeps its records in memory.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { compilePolicy } from "../../../../compiler/dev/fixtures/facts.ts";
import { indexPolicyTables } from "../../../../compiler/phases/policy/index.ts";
import { type IndexedTables, openConversation } from "../../../lib/policy/index.ts";
import { readIdentity } from "../actions/place.ts";
import type { Answer, FailureAnswer, Result } from "../answer.ts";
import { Daemon } from "../daemon.ts";

const FILES = ["runner.js", "replies.json"] as const;

export const TOKEN = "a token of a test";
const NEVER = new AbortController().signal;

/** Returns the tables of the page after `change` was applied to it. */
export async function tablesOf(change: (page: string) => string = (page) => page): Promise<IndexedTables> {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const files = Object.fromEntries(FILES.map((name) => [`/${name}`, read(name)]));
  return indexPolicyTables(await compilePolicy(change(read("system.cap")), files));
}

export interface Scene {
  /** Folder at which relative paths begin, below /tmp. */
  readonly folder: string;
  readonly records: string[];
  /** Sends a plan with these actions and only the required other fields. */
  readonly ask: (actions: readonly object[], more?: object) => Promise<readonly Result[]>;
  readonly send: (plan: unknown, signal?: AbortSignal) => Promise<Answer | FailureAnswer>;
  readonly settled: () => Promise<void>;
  readonly close: () => void;
}

interface Setting {
  /** Folder of an earlier test daemon; by default a new folder. */
  readonly folder?: string;
  /** The daemon's own files, which no client may touch. */
  readonly own?: readonly string[];
  readonly isBroken?: () => boolean;
}

export function sceneOf(tables: IndexedTables, session = "operator", setting: Setting = {}): Scene {
  const { own = [], isBroken = () => false } = setting;
  const whole = mkdtempSync(join(tmpdir(), "capc-osd-"));
  const folder = setting.folder ?? join(whole, "home");
  mkdirSync(folder, { recursive: true });
  const conversation = openConversation(tables, session);
  if (conversation === undefined) throw new Error("the fixture is broken");
  const records: string[] = [];
  const append = async (record: object) => {
    if (isBroken()) throw new Error("the disk is full");
    records.push(JSON.stringify(record));
  };
  const audit = { append, now: () => new Date(0) };
  const daemon = new Daemon({ tables, conversation, token: TOKEN, audit, folder, own: own.map(readIdentity) });
  const send: Scene["send"] = (plan, signal = NEVER) =>
    daemon.answer(Buffer.from(typeof plan === "string" ? plan : JSON.stringify(plan)), signal);
  const ask: Scene["ask"] = async (actions, more = {}) => {
    const answer = await send({ request_id: "r", version: "0.1", mode: "execute", actions, ...more });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.results;
  };
  const settled = () => daemon.settle();
  return { folder, records, ask, send, settled, close: () => rmSync(whole, { recursive: true }) };
}

export const CONFIRMED = { confirmation: { token: TOKEN } };
export const exec = (...argv: string[]) => ({ type: "exec", argv, timeout_sec: 20, as_root: false, reason: "a test" });
export const read = (path: string, max_bytes = 100) => ({ type: "read_file", path, max_bytes, reason: "a test" });
export const write = (path: string, content: string, mode = "0640") => ({
  ...{ type: "write_file", path, content, mode, reason: "a test" },
});
export const error = (code: string) => expect.objectContaining({ ok: false, error: expect.objectContaining({ code }) });
