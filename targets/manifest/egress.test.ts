import { expect, test } from "vitest";
import { Egress } from "../../engine/lib/wire/generated/egress.ts";
import type { Process } from "../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../engine/lib/wire/index.ts";
import type { Policy } from "../contract/policy.ts";
import { draftEgress, encodeEgress, getProvider } from "./egress.ts";

const scope = {
  places: [{ scheme: "https", host: "a.example", port: 443, path: "/" }],
  methods: ["GET"],
  requestBytes: 1,
  responseBytes: 2,
  milliseconds: 3,
  pins: [],
  secret: "",
  secretInTheClear: false,
} as const;
const service = (name: string, more: object) => ({ name, stateBytes: 0, ...more });
const policyOf = (...services: object[]) =>
  ({ services, secrets: [], backends: [], tables: { rows: [], backends: [] } }) as unknown as Policy;
const process = (name: string, grants: readonly object[]) => ({ name, grants }) as unknown as Process;

test("all services that contact servers share one egress process with one table; a page without such services has no egress process", () => {
  const none = policyOf(service("notes", { implementation: "files" }));
  expect([draftEgress(none), encodeEgress(none, [])]).toEqual([[], undefined]);
  const two = policyOf(
    service("status", { implementation: "egress", scope }),
    service("web", { implementation: "egress", scope }),
  );
  expect(draftEgress(two).map(({ name, role, grants }) => [name, role, grants.length])).toEqual([
    ["egress", "egress", 0],
  ]);
  expect(two.services.map(getProvider)).toEqual(["egress", "egress"]);
});

test("each holder of a grant of egress gets the endpoint that has the name of the grant", () => {
  const policy = policyOf(
    service("status", { implementation: "egress", scope }),
    service("web", { implementation: "egress", scope }),
  );
  const grant = (name: string, provider: string, badge: bigint) => ({ name, provider, badge });
  const bytes = encodeEgress(policy, [
    process("gate.a", [grant("web", "egress", 4n), grant("notes", "notes", 5n)]),
    process("gate.b", [grant("status", "egress", 7n), grant("web", "egress", 8n)]),
  ]);
  const table = decodeMessage(Egress, bytes ?? new Uint8Array());
  expect(table.ok && table.value.holders).toEqual([
    { badge: 4n, endpoint: 1 },
    { badge: 7n, endpoint: 0 },
    { badge: 8n, endpoint: 1 },
  ]);
  expect(table.ok && table.value.endpoints.map(({ name, secret }) => [name, secret])).toEqual([
    ["status", ""],
    ["web", ""],
  ]);
});
