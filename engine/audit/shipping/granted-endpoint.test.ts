// The audit process as init starts it for a page that names a collector.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { HttpEndpoint } from "../../wire/generated/tools.ts";
import { AuditLog } from "../../wire/generated/wire.ts";
import { serve } from "../../wire/index.ts";
import { bundleAudit, startProcess } from "../testing/audit-process.ts";
import { intentOf } from "../testing/sample.ts";

test("what holders append comes to the endpoint that init granted, and the status says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-audit-ship-"));
  try {
    await bundleAudit(folder);
    const audit = await startProcess(folder, "a".repeat(32), { collector: "/v1/logs" });
    const bodies: string[] = [];
    const [far] = [...audit.child.stdio].slice(5);
    if (!(far instanceof Duplex)) throw new Error("no socket to the process");
    serve(far, [HttpEndpoint.id], async ({ method, payload }) => {
      if (payload.which !== "json" || method !== HttpEndpoint.methods.post.ordinal) throw new Error("another call");
      const { path, body } = JSON.parse(payload.json);
      bodies.push(`${path} ${body}`);
      return { ok: true, payload: { which: "json", json: '{"response":{"status":200}}' } };
    });
    const holder = await audit.grant("gate.operator");
    expect(await holder.call(AuditLog.methods.append, { entry: intentOf() })).toMatchObject({ ok: true });
    const status = async (): Promise<string> => {
      const reply = await holder.call(AuditLog.methods.status, {});
      return reply.ok ? reply.value.shipping : reply.reason;
    };
    while ((await status()) !== "the collector has all up to 3") await new Promise((resolve) => setImmediate(resolve));
    expect(bodies.every((body) => body.startsWith("/v1/logs {"))).toBe(true);
    expect(bodies.join("")).toContain("gate.operator: intent");
    audit.child.send({ capos: "stop" });
    await audit.gone;
    expect(audit.child.exitCode).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
