// Collects facts of a manifest: the processes of an image, their connections and directories, its data disk and its
// files. A built image contains no page. So a page that is not built yet is compared with an image through these facts.

import type { Blob, Manifest, Process } from "../../../engine/lib/wire/generated/manifest.ts";
import { formatSize } from "../../phases/policy/index.ts";
import { type Fact, type FactContent, measureMembers, measureRank, WORD } from "./facts.ts";
import { collectNetworkFacts, collectStorageFacts } from "./machine.ts";
import type { Rename } from "./rename.ts";

/** A built or planned manifest. It lacks weights and the list of parts, because only a build knows these. */
export type ImageGraph = Pick<
  Manifest,
  "artefacts" | "memoryBytes" | "network" | "processes" | "session" | "storage" | "trust"
>;

/**
 * Returns the facts of an image. A process that `other` lacks gives only one fact, without facts about its connections
 * and limits.
 */
export function collectGraphFacts(graph: ImageGraph, other: ImageGraph): readonly Fact[] {
  const { artefacts, memoryBytes, network, processes, session, storage, trust } = graph;
  const nameOf = ({ name }: Process) => name;
  const shared = new Set(processes.map(nameOf)).intersection(new Set(other.processes.map(nameOf)));
  const of = { place: "image" };
  return [
    ...processes.flatMap((process) => [
      makeProcessFact(process),
      ...(shared.has(process.name) ? collectProcessFacts(process, shared) : []),
    ]),
    ...artefacts.flatMap(collectFileFacts),
    ...(storage.disk === "" ? [] : collectStorageFacts(storage)),
    ...(network.which === "none" ? [] : collectNetworkFacts(network)),
    { ...of, what: "session that boots", value: session, measure: measureMembers([session]), without: "other" },
    { ...of, what: "trust", value: trust, measure: measureRank(trust === "sealed" ? 0 : 1), without: "other" },
    { ...of, what: "memory of the machine", value: formatSize(Number(memoryBytes)), measure: WORD, without: "other" },
  ];
}

function makeProcessFact({ name, role }: Process): Fact {
  return { place: "image", what: `process ${name}`, value: role, measure: measureMembers([role]), without: "less" };
}

/** init provides connections too, but the manifest does not list it as a process. */
const INIT = "init";

function collectProcessFacts(
  { name, grants, memoryMaxBytes, stateMaxBytes }: Process,
  shared: ReadonlySet<string>,
): readonly Fact[] {
  const place = `process ${name}`;
  const limits = { "memory at most": memoryMaxBytes, "on the data disk at most": stateMaxBytes };
  return [
    ...grants.flatMap((grant): readonly Fact[] => {
      const { provider } = grant;
      if (provider !== INIT && !shared.has(provider)) return [];
      const of = { place, what: `connection to ${grant.name}`, measure: measureMembers([provider]) };
      return [{ ...of, value: `of ${provider}`, without: "less" }];
    }),
    ...Object.entries(limits).map(([what, bytes]): Fact => {
      const measure = { kind: "ranked", rank: bytes } as const;
      return { place, what, value: bytes === 0n ? "none" : formatSize(Number(bytes)), measure, without: "told" };
    }),
  ];
}

/** Returns the graph with the new names of services, sessions and backends. */
export function renameInGraph(graph: ImageGraph, renames: readonly Rename[]): ImageGraph {
  const names = new Map(
    renames.flatMap(({ kind, from, to }) => {
      const heads = HEADS[kind] ?? [];
      return heads.map((head) => [`${head}${from}`, `${head}${to}`] as const);
    }),
  );
  const rename = (name: string) => names.get(name) ?? name;
  return {
    ...graph,
    session: rename(graph.session),
    artefacts: graph.artefacts.map((blob) => ({ ...blob, name: rename(blob.name) })),
    processes: graph.processes.map((process) => ({
      ...process,
      name: rename(process.name),
      grants: process.grants.map((grant) => {
        return { ...grant, name: rename(grant.name), provider: rename(grant.provider) };
      }),
    })),
  };
}

/** Prefixes that stand before the name of a service, a session or a backend in names of the manifest. */
const HEADS: { readonly [Kind in Rename["kind"]]?: readonly string[] } = {
  service: ["", "program.", "methods."],
  session: ["", "gate.", "loop.", "session."],
  backend: ["model.", "replies."],
};

/** Number of digits of a digest that a person needs to distinguish two versions of a file. */
const SHOWN_DIGITS = 12;

/**
 * Returns the facts of replies, programs and addresses. It omits tables, which are compared separately, and weights,
 * whose digests only a build knows.
 */
function collectFileFacts({ name, size, sha256, card }: Blob): readonly Fact[] {
  if (!/^(?:replies|program|methods)\.|^egress$/.test(name) || card !== "") return [];
  const digest = Buffer.from(sha256).toString("hex").slice(0, SHOWN_DIGITS);
  const said: FactContent = {
    what: "content",
    value: `${size} bytes, SHA-256 ${digest}`,
    measure: measureMembers([digest]),
    // If the file is new or removed, the fact about its process reports this.
    without: "told",
  };
  return [{ place: `file ${name}`, ...said }];
}
