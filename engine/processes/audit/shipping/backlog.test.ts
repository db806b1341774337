import { expect, test } from "vitest";
import { Chain } from "../chain.ts";
import { bootOf, linked, SEED, sealed, sessionOf, stampOf } from "../testing/sample.ts";
import { Backlog } from "./backlog.ts";

test("the end of a run logs the shipping progress, unless only seals and progress records were shipped since", () => {
  const [chain, stamp] = [new Chain(), stampOf(1, "audit")];
  const keys = { key: { epoch: 0, seed: SEED } };
  const backlog = new Backlog();
  const add = ({ record, bytes }: ReturnType<typeof linked>): void =>
    backlog.add({ record, offset: 0, length: bytes.length });
  add(linked(chain, bootOf(), stamp));
  backlog.markShipped(1n);
  expect([backlog.isNoteDue("end"), backlog.isNoteDue("running")]).toEqual([true, false]);
  backlog.markNoted();
  add(sealed(chain, keys, stamp));
  add(linked(chain, { which: "shipped", shipped: 1n }, stamp));
  backlog.markShipped(3n);
  expect([backlog.isNoteDue("end"), backlog.size]).toEqual([false, 0]);
  add(linked(chain, sessionOf("x"), stamp));
  backlog.markShipped(4n);
  expect(backlog.isNoteDue("end")).toBe(true);
});
