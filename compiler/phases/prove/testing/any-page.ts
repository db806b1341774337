// Generates random pages as numbers and choices. When pages.ts writes the page, each number selects one of the options
// that the page then has.
import fc from "fast-check";
import { anyGate, anyLabel, anyLattice, anyMode, anyRange, seldom } from "./random-labels.ts";
import { anyQuota, anySession, anyTask, anyWorker } from "./sessions.ts";

const anyFact = fc.record({
  changing: fc.constantFrom("mutatingLocal", "destructive", "outboundNet", "payments"),
  reading: fc.constantFrom("readOnly", "readOnly", "readOnly", "outboundNet"),
  returns: fc.option(anyRange, { freq: 2 }),
  sends: fc.option(fc.record({ label: anyLabel, high: fc.boolean() }), { freq: 3 }),
});

const anyService = fc.record({
  face: fc.nat(2),
  label: fc.option(anyRange, { freq: 6 }),
  networked: fc.boolean(),
  uses: fc.option(fc.nat(3), { freq: 4 }),
});

const anyBackend = fc.record({ remote: fc.boolean(), clearance: anyLabel, high: fc.boolean() });

const anyRelease = fc.record({
  act: fc.constantFrom("declassify", "declassify", "endorse"),
  pattern: fc.nat(30),
  from: anyLabel,
  high: fc.constantFrom(true, true, false),
  to: anyLabel,
  gate: anyGate,
  session: fc.option(fc.nat(2)),
  inTask: fc.boolean(),
});

const anyAssertion = fc.record({
  form: fc.constantFrom<"flow" | "trifecta" | "call" | "ungated" | "always" | "limit">(
    "flow",
    "flow",
    "flow",
    "trifecta",
    "call",
    "ungated",
    "always",
    "limit",
  ),
  label: anyLabel,
  target: fc.nat(30),
  patterns: fc.array(fc.nat(30), { minLength: 1, maxLength: 2 }),
  mode: anyMode,
  quota: anyQuota,
  subject: fc.option(fc.nat(6)),
  withoutReleases: fc.boolean(),
});
export type AnyAssertion = typeof anyAssertion extends fc.Arbitrary<infer T> ? T : never;

export const anyPage = fc.record({
  lattice: anyLattice,
  facts: fc.tuple(anyFact, anyFact, anyFact),
  services: fc.array(anyService, { minLength: 1, maxLength: 3 }),
  backends: fc.array(anyBackend, { minLength: 1, maxLength: 2 }),
  sessions: fc.array(anySession, { minLength: 1, maxLength: 3 }),
  task: fc.option(anyTask, { freq: 3 }),
  requires: fc.nat(3),
  worker: fc.option(anyWorker, { freq: 2 }),
  ingress: fc.option(fc.record({ into: fc.nat(3), label: anyLabel }), { freq: 2 }),
  releases: fc.array(anyRelease, { maxLength: 2 }),
  waived: seldom(
    fc.record({
      name: fc.constantFrom("trifecta", "remote-clearance", "guest-local", "anonymous-asks"),
      session: fc.option(fc.nat(2)),
    }),
  ),
  assertions: fc.array(anyAssertion, { minLength: 3, maxLength: 6 }),
});
export type AnyPage = typeof anyPage extends fc.Arbitrary<infer T> ? T : never;
