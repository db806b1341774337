import { expect, test } from "vitest";
import { type IndexedTables, openConversation, type PermissionMode } from "../policy/index.ts";
import { always, indexed, row, tool } from "../policy/testing/sample.ts";
import { HttpEndpoint } from "../wire/generated/tools.ts";
import { decideAtGate, isOutsideGrant } from "./decide-at-gate.ts";

const SERVER = { scheme: "https", host: "status.example.net", port: 443, path: "/api" };

const sending = (mode: PermissionMode, more: Partial<Parameters<typeof indexed>[0]> = {}) =>
  indexed({
    tools: [tool("notes.write", { interfaceId: HttpEndpoint.id, networked: true, servers: [SERVER] })],
    decisions: [{ clauses: [always(mode)], floors: [] }],
    ...more,
  });

function ask(tables: IndexedTables, path: string, unattended = false) {
  const conversation = openConversation(tables, "operator");
  if (conversation === undefined) throw new Error("the tables have no such session");
  const call = { tool: "notes.write", arguments: JSON.stringify({ path }) };
  const asked = { ...conversation, unattended };
  return { decision: decideAtGate(tables, asked, call), isOutside: isOutsideGrant(tables, asked, call) };
}

const OUTSIDE = "outside the page's grant, which covers https://status.example.net/api";

test.each(["auto", "consent", "stepUp"] as const)("%s: a call that the grant does not cover is refused", (mode) => {
  expect(ask(sending(mode), "/other")).toEqual({
    decision: { kind: "refused", outcome: "refusedByPolicy", reason: OUTSIDE },
    isOutside: true,
  });
  expect(ask(sending(mode), "/api/now")).toMatchObject({ decision: { kind: "gated", gate: mode }, isOutside: false });
});

test("if both the tables and the grant refuse a call, the decision is that of the tables", () => {
  expect(ask(sending("forbidden"), "/other")).toMatchObject({ decision: { mode: "forbidden" }, isOutside: false });
  expect(ask(sending("consent"), "/other", true)).toMatchObject({
    decision: { reason: "nobody is there to be asked" },
    isOutside: false,
  });
  const quota = { amount: 0n, unit: "calls", name: "", scope: "turn", rule: 1 } as const;
  expect(ask(sending("auto", { rows: [row("operator", [2], { quotas: [quota] })] }), "/other")).toMatchObject({
    decision: { rule: 1 },
    isOutside: false,
  });
});
