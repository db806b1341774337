// Generates random systems for upstream's kernel: process graphs that comply with the laws, and sessions of every kind.

import fc from "fast-check";
import { KERNEL_SOURCES, type KernelSource, UNCONFIGURED } from "../../contract/kernel-sources.ts";
import type { Policy } from "../../contract/policy.ts";
import type { UpstreamCap, UpstreamPlan, UpstreamService } from "../../contract/upstream-plan.ts";
import { RESTARTS } from "../../contract/upstream-plan.ts";
import { DISCLOSURES } from "../../contract/upstream-words.ts";

const ONCE: ReadonlySet<string> = new Set(["terminal_session"]);
const GRANTABLE = KERNEL_SOURCES.filter(({ name, reach }) => reach !== "measurement" && !UNCONFIGURED.has(name));
const SHARED = GRANTABLE.filter(({ name }) => !ONCE.has(name));

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
const discloses = fc.subarray([...DISCLOSURES]);

function kernelCap(as: string, kernel: KernelSource, disclosed: UpstreamCap["discloses"]): UpstreamCap {
  const badge = kernel.name === "tcp_listen_authority" ? 2222n : 0n;
  return { name: as, source: { kind: "kernel", kernel }, badge, discloses: disclosed };
}

/** Returns the name under which a process holds this capability: at most 32 bytes, as upstream requires. */
const heldAs = ({ name }: KernelSource) => name.slice(-32);

/** All capabilities that can be passed on; services get no others. */
const EVERYTHING: readonly UpstreamCap[] = SHARED.map((kernel) => kernelCap(heldAs(kernel), kernel, []));

interface Drawn {
  readonly name: string;
  readonly binary: number;
  readonly kernels: readonly number[];
  readonly isExporting: boolean;
  readonly holds: readonly number[];
  readonly discloses: UpstreamCap["discloses"];
  readonly badge: bigint;
  readonly restart: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  name,
  binary: fc.nat(2),
  kernels: fc.uniqueArray(fc.nat(SHARED.length - 1), { maxLength: 6 }),
  isExporting: fc.boolean(),
  holds: fc.uniqueArray(fc.nat(7), { maxLength: 3 }),
  discloses,
  badge: fc.bigInt({ min: 0n, max: 2n ** 64n - 2n }),
  restart: fc.nat(RESTARTS.length - 1),
});

const ENDPOINT = KERNEL_SOURCES.filter(({ name }) => name === "endpoint");

function servicesOf(all: readonly Drawn[]): UpstreamService[] {
  const services: UpstreamService[] = [];
  for (const one of all) {
    const providers = services.filter(({ exports }) => exports.length > 0);
    const held = one.holds.flatMap((at): UpstreamCap[] => {
      const provider = providers[at];
      const source = { kind: "service" as const, service: provider?.name ?? "", export: "answers" };
      return provider === undefined ? [] : [{ name: `to ${at}`, source, badge: one.badge, discloses: one.discloses }];
    });
    const kernels = one.kernels.flatMap((at) => SHARED[at] ?? []);
    const caps = [
      ...(one.isExporting ? ENDPOINT.map((kernel) => kernelCap("answers", kernel, one.discloses)) : []),
      ...kernels.map((kernel) => kernelCap(heldAs(kernel), kernel, [])),
      ...held,
    ];
    services.push({
      name: one.name,
      binary: `program-${one.binary}`,
      bytes: Uint8Array.of(0x7f, one.binary),
      caps,
      exports: one.isExporting ? ["answers"] : [],
      restart: RESTARTS[one.restart] ?? "never",
    });
  }
  return services;
}

const plans: fc.Arbitrary<UpstreamPlan> = fc
  .record({
    drawn: fc.uniqueArray(drawn, { maxLength: 8, selector: (one) => one.name }),
    exits: fc.nat(8),
    hostname: fc.stringMatching(/^[a-z0-9.-]{0,20}$/),
    motd: fc.stringMatching(/^[ -~]{0,80}$/),
    logLevel: fc.constantFrom("debug", "info", "warn", "error"),
    carriesTables: fc.boolean(),
  })
  .map(({ drawn, exits, ...rest }) => {
    const services = servicesOf(drawn);
    return { kernel: "", limine: "", init: EVERYTHING, services, exits: services[exits]?.name ?? "", ...rest };
  });

/** Returns systems like `base`, but with random sessions, people and process graphs. */
export function systemsLike(base: Policy): fc.Arbitrary<Policy> {
  const [row] = base.tables.rows;
  const [person] = base.tables.principals;
  if (row === undefined || person === undefined) throw new Error("a page with a session and somebody in it is wanted");
  const people = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
  const session = fc.record({
    session: name,
    kind: fc.constantFrom("operator", "guest", "anonymous", "service"),
    principals: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
    loginMs: fc.constantFrom(0, 60_000, 900_000),
    login: fc.constantFrom("none", "key", "passphrase"),
  });
  const sessions = fc.uniqueArray(session, { minLength: 1, maxLength: 4, selector: (one) => one.session });
  return fc.record({ plan: plans, people, sessions }).map(({ plan, people, sessions }): Policy => {
    const principals = people.map((name) => ({ ...person, name, passphrase: name }));
    const rows = sessions.map(({ session, kind, principals: among, loginMs, login }) => ({
      ...row,
      session,
      kind,
      login,
      principals: among.filter((index) => index < principals.length),
      timeouts: { ...row.timeouts, loginMs },
    }));
    const image = { ...base.image, boot: sessions[0]?.session ?? "", upstream: plan };
    return { ...base, tables: { ...base.tables, principals, rows }, image };
  });
}
