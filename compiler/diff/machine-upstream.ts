// What a page of `target capos` says beside its services and tools: what upstream's first process holds, and who is started again.
// What services hold of the kernel is told with their other grants.

import type { UpstreamCap, UpstreamPlan } from "../policy/upstream/plan.ts";
import { type Says, WORD } from "./facts.ts";

export function upstreamFacts(plan: UpstreamPlan): readonly Says[] {
  const said = (what: string, says: string): Says[] =>
    says === "" ? [] : [{ what, says, measure: WORD, without: "other" }];
  return [
    ...plan.init.map(
      (cap): Says => ({ what: `init holds ${cap.name}`, says: capText(cap), measure: WORD, without: "less" }),
    ),
    ...plan.services.flatMap(({ name, binary, exports, restart }) => [
      ...said(`program of ${name}`, binary),
      ...said(`exports of ${name}`, exports.join(", ")),
      ...said(`${name} is started again`, restart),
    ]),
    ...said("the machine ends with", plan.exits),
    ...said("kernel", plan.kernel),
    ...said("host name", plan.hostname),
    ...said("message of the day", plan.motd),
    ...said("log level", plan.logLevel),
    ...said("policy tables in the manifest", plan.carriesTables ? "yes" : "no"),
  ];
}

function capText({ source, badge, discloses }: UpstreamCap): string {
  const from = source.kind === "kernel" ? source.kernel.name : `${source.service}.${source.export}`;
  return [from, ...(badge === 0n ? [] : [`badge ${badge}`]), ...discloses].join(", ");
}
