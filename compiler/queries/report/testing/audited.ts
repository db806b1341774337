import { ActivityBuilder, countCalls, listVisibleTools } from "../../activity/index.ts";
import { SampleLog } from "../../replay/testing/log.ts";
import type { AuditFacts, Subject } from "../index.ts";

/** Returns the subject with an audit of several days. The audit has outcomes of all kinds, and content for every table. */
export function addAudit(subject: Subject): Subject & { readonly audit: AuditFacts } {
  const refused = { decision: "notReached", outcome: "refusedByPolicy" } as const;
  const asked = { decision: "consented", principal: "alice", surface: "console", askedMs: 3400 } as const;
  const release = { rule: "release/declassify notes.write", act: "declassify", from: "secret", to: "public" };
  const log = new SampleLog()
    .boot()
    .ran("web.get", { url: "https://example.org/a" })
    .ran("notes.write", { path: "a" }, asked)
    .denied("notes.write", { path: "b" }, { ...asked, decision: "denied" })
    .later(900)
    .ended("notes.read", "{}", { ...refused, error: "used up: 4 readOnly per turn (system.cap:3:1): 4 of 4 spent" })
    .ended("notes.read", "{}", { sent: true, outcome: "timedOut", error: "timedOut: no answer within 8000 ms" })
    .ran("notes.write", { path: "r" }, { ...asked, release })
    .denied("notes.write", { path: "r" }, { ...asked, decision: "denied", release })
    .later(1500)
    .sent("notes.write", { path: "c" })
    .boot();
  const builder = new ActivityBuilder({ tables: subject.tables, origins: new Map() });
  for (const { record } of log.links) builder.take(record);
  const activity = builder.build();
  if (Object.values(activity.calls).some((count) => count === 0) || countCalls(activity.calls) !== 8)
    throw new Error("the sample lacks an outcome");
  const verification = `verified under the noted key: 17 records, sealed up to record 17; audit key ${"ab".repeat(32)}`;
  const visible = listVisibleTools(subject.tables).map((place) => ({ ...place, session: "operator" }));
  const audit = {
    log: "audit.log",
    activity,
    verification,
    trust: "verified" as const,
    foreign: 3,
    timeless: 2,
    visible,
  };
  return { ...subject, audit };
}
