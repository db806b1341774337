// Tests the audit process, started as init starts it for a page that names a collector.

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SyslogExit } from "../../../lib/wire/generated/egress.ts";
import { HttpEndpoint } from "../../../lib/wire/generated/tools.ts";
import { AuditLog } from "../../../lib/wire/generated/wire.ts";
import { decode, serve } from "../../../lib/wire/index.ts";
import { bundleAudit, startProcess } from "../testing/audit-process.ts";
import { intentOf } from "../testing/sample.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-audit-ship-"));
beforeAll(() => bundleAudit(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Records a call, waits until the collector behind the grant has all records, and shuts the process down. */
async function shipsTo(collector: string, takes: bigint, answer: Parameters<typeof serve>[2]): Promise<void> {
  const place = mkdtempSync(join(folder, "log-"));
  for (const name of ["audit.mjs", "tables.bin"]) copyFileSync(join(folder, name), join(place, name));
  const audit = await startProcess(place, "a".repeat(32), { collector, takes });
  const [far] = [...audit.child.stdio].slice(5);
  if (!(far instanceof Duplex)) throw new Error("no socket to the process");
  serve(far, [takes], answer);
  const holder = await audit.grant("gate.operator");
  expect(await holder.call(AuditLog.methods.append, { entry: intentOf() })).toMatchObject({ ok: true });
  const status = async (): Promise<string> => {
    const reply = await holder.call(AuditLog.methods.status, {});
    return reply.ok ? reply.value.shipping : reply.reason;
  };
  while ((await status()) !== "the collector has all up to 3") await new Promise((resolve) => setImmediate(resolve));
  audit.child.send({ capos: "stop" });
  await audit.gone;
  expect(audit.child.exitCode).toBe(0);
}

test("ships records to the page's collector over the granted endpoint, and status reports the progress", async () => {
  const bodies: string[] = [];
  await shipsTo("/v1/logs", HttpEndpoint.id, async ({ method, payload }) => {
    if (payload.which !== "json" || method !== HttpEndpoint.methods.post.ordinal) throw new Error("another call");
    const { path, body } = JSON.parse(payload.json);
    bodies.push(`${path} ${body}`);
    return { ok: true, payload: { which: "json", json: '{"response":{"status":200}}' } };
  });
  expect(bodies.every((body) => body.startsWith("/v1/logs {"))).toBe(true);
  expect(bodies.join("")).toContain("gate.operator: intent");
});

test("ships records as syslog messages if the granted endpoint has the interface SyslogExit", async () => {
  const messages: string[] = [];
  await shipsTo("/", SyslogExit.id, async ({ payload }) => {
    const read = payload.which === "message" ? decode(SyslogExit.methods.send.params, payload.message) : undefined;
    if (read?.ok !== true) throw new Error("another call");
    messages.push(...read.value.messages);
    return { ok: true, payload: { which: "empty" } };
  });
  expect(messages).toHaveLength(3);
  expect(messages[2]).toMatch(
    /^<110>1 .* first-agent capos-audit a{32} intent \[capos@32473 .*\] gate.operator: intent$/,
  );
});
