// Facts of a manifest: the processes of an image, their connections and directories, its data disk and its files. A build has no page
// beside it, so this is what a page that is not built yet is compared with.

import type { Blob, Manifest, Process } from "../../../engine/lib/wire/generated/manifest.ts";
import { formatSize } from "../../phases/policy/index.ts";
import { type Fact, type FactContent, measureMembers, measureRank, WORD } from "./facts.ts";
import { collectNetworkFacts, collectStorageFacts } from "./machine.ts";

/** A manifest that was built, or that is planned: without weights and the list of parts, which only a build knows. */
export type ImageGraph = Pick<
  Manifest,
  "artefacts" | "memoryBytes" | "network" | "processes" | "session" | "storage" | "trust"
>;

/** Returns the facts of an image. Connections of a process that `other` lacks are not listed: the process is the news. */
export function collectGraphFacts(graph: ImageGraph, other: ImageGraph): readonly Fact[] {
  const { artefacts, memoryBytes, network, processes, session, storage, trust } = graph;
  const shared = new Set(other.processes.map(({ name }) => name));
  const of = { place: "image" };
  return [
    ...processes.flatMap((process) => [
      makeProcessFact(process),
      ...(shared.has(process.name) ? collectProcessFacts(process) : []),
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
  return { place: `process ${name}`, what: "role", value: role, measure: measureMembers([role]), without: "less" };
}

function collectProcessFacts({ name, grants, memoryMaxBytes, stateMaxBytes }: Process): readonly Fact[] {
  const place = `process ${name}`;
  const limits = { "memory at most": memoryMaxBytes, "on the data disk at most": stateMaxBytes };
  return [
    ...grants.map((grant): Fact => {
      const { provider } = grant;
      return {
        place,
        what: `connection to ${grant.name}`,
        value: `of ${provider}`,
        measure: measureMembers([provider]),
        without: "less",
      };
    }),
    ...Object.entries(limits).map(([what, bytes]): Fact => {
      const measure = { kind: "ranked", rank: bytes } as const;
      return { place, what, value: bytes === 0n ? "none" : formatSize(Number(bytes)), measure, without: "told" };
    }),
  ];
}

/** Digits of a digest that distinguish two versions of a file for a person. */
const SHOWN_DIGITS = 12;

/** Returns the facts of replies, programs and addresses. Tables are compared by themselves, and only a build digests weights. */
function collectFileFacts({ name, size, sha256, card }: Blob): readonly Fact[] {
  if (!/^(?:replies|program|methods)\.|^egress$/.test(name) || card !== "") return [];
  const digest = Buffer.from(sha256).toString("hex").slice(0, SHOWN_DIGITS);
  const said: FactContent = {
    what: "content",
    value: `${size} bytes, SHA-256 ${digest}`,
    measure: measureMembers([digest]),
    // The process that gets it is told as new or gone.
    without: "told",
  };
  return [{ place: `file ${name}`, ...said }];
}
