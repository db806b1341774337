import { expect, test } from "vitest";
import type { Reply } from "../../../lib/wire/index.ts";
import { sendTo, waitFor } from "./collector.ts";

const answered = (json: string) => async (): Promise<Reply<string>> => ({ ok: true, value: json });
const SIGNAL = new AbortController().signal;

test("a request contains the path, the content type and the body, and only a success status counts as accepted", async () => {
  const asked: string[] = [];
  const callTool = async (_: bigint, __: number, json: string): Promise<Reply<string>> => {
    asked.push(json);
    return { ok: true, value: '{"response":{"status":202}}' };
  };
  expect(await sendTo({ callTool }, "/v1/logs", "{}", SIGNAL)).toEqual({ ok: true, value: undefined });
  expect(asked).toEqual(['{"body":"{}","contentType":"application/json","path":"/v1/logs"}']);
  for (const [json, status] of [
    ['{"response":{"status":503}}', 503],
    ['{"response":{"status":302,"location":"http://elsewhere"}}', 302],
    ['{"response":{}}', 0],
    ['{"response":[200]}', 0],
    ["what is this?", 0],
  ] as const) {
    const reason = `the collector answers with status ${status}`;
    expect(await sendTo({ callTool: answered(json) }, "/", "{}", SIGNAL)).toEqual({ ok: false, reason });
  }
  const callClosed = async (): Promise<Reply<string>> => ({ ok: false, code: "closed", reason: "egress is gone" });
  expect(await sendTo({ callTool: callClosed }, "/", "{}", SIGNAL)).toEqual({ ok: false, reason: "egress is gone" });
});

test("a wait before a retry ends when the machine stops", async () => {
  const stopping = new AbortController();
  const waiting = waitFor(10_000_000, stopping.signal);
  stopping.abort();
  await waiting;
  await waitFor(10_000_000, stopping.signal);
  await waitFor(1, new AbortController().signal);
});
