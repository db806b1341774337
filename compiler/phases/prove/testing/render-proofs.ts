import { formatLabel } from "../../../../engine/lib/policy/index.ts";
import type { PolicyTables } from "../../../../engine/lib/wire/generated/policy.ts";
import { type Proof, type Proofs, prove, type Witness, type WitnessStep } from "../index.ts";
import { meaningOf } from "./compiled.ts";
import { framed } from "./frame.ts";

// Renders the proofs of a small page as text for a test.

export async function provenPage(lines: string): Promise<Proofs & { readonly own: readonly Proof[] }> {
  const { policy, model } = await meaningOf(framed(lines));
  const proofs = prove(policy, model);
  return { ...proofs, own: proofs.results.filter(({ inherited }) => inherited === undefined) };
}

/**
 * Returns the result for each assertion of the page: `proved`, the witness of a refutation, or the reason for which it
 * is undetermined.
 */
export async function foundOn(lines: string, changed: Change = (tables) => tables): Promise<readonly string[]> {
  const { policy: made, model } = await meaningOf(framed(lines));
  const policy = { ...made, tables: changed(made.tables) };
  const own = prove(policy, model).results.filter(({ inherited }) => inherited === undefined);
  return own.map(({ verdict }) => {
    if (verdict.kind === "refuted") return told(policy.tables.lattice, verdict.witness);
    return verdict.kind === "proved" ? "proved" : verdict.reason;
  });
}

/** Change of the tables, for tables that no page compiles to. */
type Change = (tables: PolicyTables) => PolicyTables;

type Lattice = Parameters<typeof formatLabel>[0];

/** Renders a witness: `day: s.look auto → secret/reviewed, infer b0 auto | night: …` */
export function told(lattice: Lattice, { conversations }: Witness): string {
  return conversations
    .map(({ session, task, steps }) => {
      const place = task === "" ? session : `${session}.${task}`;
      return `${place}: ${steps.map((step) => toldStep(lattice, step)).join(", ")}`;
    })
    .join(" | ");
}

function toldStep(lattice: Lattice, step: WitnessStep): string {
  const label = formatLabel(lattice, step.label);
  switch (step.kind) {
    case "call": {
      const times = step.times === undefined ? "" : ` ×${step.times}`;
      const released = step.release === undefined ? "" : " released";
      const used = step.use === undefined ? "" : ` (${step.use.tool})`;
      return `${step.tool} ${step.gate}${released}${times}${used}${step.returning === undefined ? "" : ` → ${label}`}`;
    }
    case "phase":
      return `enter ${step.phase} ${step.gate}`;
    case "ingress":
      return `hear ${step.name} → ${label}`;
    case "worker":
      return `${step.worker} [${step.steps.map((inner) => toldStep(lattice, inner)).join(", ")}] → ${label}`;
    case "infer":
      return `infer ${step.backend} ${step.gate}`;
  }
}
