// For tests: a daemon of the page in this folder, in a folder of its own, with a record that is kept in memory.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexedTables } from "../../../compiler/policy/index.ts";
import { policyOf } from "../../../compiler/testing/facts.ts";
import { type IndexedTables, openConversation } from "../../policy/index.ts";
import type { Answer, Failed, Result } from "../answer.ts";
import { Daemon } from "../daemon.ts";

const FILES = ["runner.js", "replies.json"] as const;

export const TOKEN = "a token of a test";
export const NEVER = new AbortController().signal;

export async function tablesOf(): Promise<IndexedTables> {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const files = Object.fromEntries(FILES.map((name) => [`/${name}`, read(name)]));
  return indexedTables(await policyOf(read("system.cap"), files));
}

export interface Scene {
  /** Where relative paths begin; a folder below /tmp. */
  readonly folder: string;
  readonly records: string[];
  /** With the least envelope around these actions. */
  readonly ask: (actions: readonly object[], more?: object) => Promise<readonly Result[]>;
  readonly send: (plan: unknown, signal?: AbortSignal) => Promise<Answer | Failed>;
  readonly close: () => void;
}

export function sceneOf(tables: IndexedTables, session = "operator", isBroken = () => false): Scene {
  const whole = mkdtempSync(join(tmpdir(), "capc-osd-"));
  const folder = join(whole, "home");
  mkdirSync(folder);
  const conversation = openConversation(tables, session);
  if (conversation === undefined) throw new Error("the fixture is broken");
  const records: string[] = [];
  const append = async (record: object) => {
    if (isBroken()) throw new Error("the disk is full");
    records.push(JSON.stringify(record));
  };
  const audit = { append, now: () => new Date(0) };
  const daemon = new Daemon({ tables, conversation, token: TOKEN, audit, folder });
  const send: Scene["send"] = (plan, signal = NEVER) =>
    daemon.answer(Buffer.from(typeof plan === "string" ? plan : JSON.stringify(plan)), signal);
  const ask: Scene["ask"] = async (actions, more = {}) => {
    const answer = await send({ request_id: "r", version: "0.1", mode: "execute", actions, ...more });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.results;
  };
  return { folder, records, ask, send, close: () => rmSync(whole, { recursive: true }) };
}
