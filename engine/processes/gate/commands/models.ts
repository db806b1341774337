import { findEmbedder, listRedactions } from "../../../lib/policy/index.ts";
import type { Backend } from "../../../lib/wire/generated/policy.ts";
import { excerpt } from "../result.ts";
import type { CommandParts, Lines } from "./parts.ts";

const USE = { now: "may answer", gated: "may answer once a person lets it", never: "may not answer" } as const;

/**
 * Returns which model a backend runs. The audit records `id`: a digest of weights or canned replies, or the provider's
 * protocol, host, port and model name.
 */
function describeModel(backend: string, kind: Backend["kind"], id: string): string {
  if (kind === "remote") return `${backend} is ${id}; which weights its provider runs cannot be verified`;
  const digested = kind === "stub" ? "canned replies" : "weights";
  return `${backend} is ${id}, the digest of its ${digested}`;
}

/** Shows which backends may receive the conversation now and which models they run, or opens a backend that is behind a gate. */
export async function showOrOpenModel({ gate }: CommandParts, name: string): Promise<Lines> {
  if (name !== "") {
    const refusal = await gate.offering.openModel(name);
    return [refusal === undefined ? `${name} may answer from now on` : `refused: ${excerpt(refusal)}`];
  }
  const standings = await gate.parts.models.listStandings(gate.moment);
  if (!standings.ok) return [standings.reason];
  if (standings.value.length === 0) return ["no backend answers in this session"];
  const { tables } = gate.parts;
  const lines = standings.value.flatMap(({ name: backend, use, reason, lease, backend: index }) => {
    const by = lease === 0 ? "" : ` by consent ${lease}`;
    const known = tables.backends[index];
    const masked = known === undefined ? [] : listRedactions(tables, known).map((one) => one.name);
    const without = masked.length === 0 ? "" : `, and hears it without what ${masked.join(", ")} mask`;
    const id = gate.parts.models.findId(backend);
    const model = known === undefined || id === undefined ? [] : [describeModel(backend, known.kind, id)];
    return [`${backend}: ${USE[use]} (${reason}${by})${without}`, ...model];
  });
  const embedder = findEmbedder(tables, tables.rows[gate.conversation.row]);
  return embedder === ""
    ? lines
    : [...lines, `${embedder}: hears all that is said in this session, to find it by meaning`];
}
