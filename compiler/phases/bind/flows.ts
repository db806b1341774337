import { MAX_MESSAGE_BYTES, MISSED } from "../../../engine/lib/policy/index.ts";
import { findZoneFault, readSchedule } from "../../../engine/lib/schedule/index.ts";
import { renderRelease } from "../../../lang/format/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { IngressNode, ReleaseNode, WaiveNode } from "../../../lang/tree/index.ts";
import { unwrapProse } from "../reflect/index.ts";
import { timerUnfit } from "./codes.ts";
import { type Context, declare, resolveWord } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import {
  type BoundTimer,
  INGRESS_SOURCES,
  INHERITED,
  type Ingress,
  type Lattice,
  type Release,
  type Task,
  type Waiver,
} from "./model/index.ts";
import { bindPatterns, type PatternWords } from "./patterns.ts";
import { checkCovers, resolveSession, resolveStartedSubject, type Subjects } from "./subjects.ts";

export interface FlowWords extends PatternWords {
  readonly lattice: Lattice;
  readonly subjects: Subjects;
}

export function bindIngresses(context: Context, words: FlowWords, nodes: readonly IngressNode[]): Ingress[] {
  const first = new Map<string, IngressNode>();
  for (const node of nodes) declare(context, { names: first, what: "ingress", name: node.name, declared: node });
  return [...first.values()].flatMap((node): Ingress[] => {
    const source = resolveWord(context, "source of an ingress", INGRESS_SOURCES, node.source);
    const into = resolveStartedSubject(context, words.subjects, node.into);
    const label = bindLabel(context, words.lattice, node.label);
    const timer = source === undefined ? undefined : bindTimer(context, source, node);
    if (source === undefined || into === undefined || label === undefined || timer === "unfit") return [];
    return [{ name: node.name.text, source, address: node.address?.value, timer, into, label, node }];
  });
}

/** Returns the schedule of a timer; `undefined` for another source, and "unfit" if an error was reported. */
function bindTimer(
  context: Context,
  source: Ingress["source"],
  { name, address, zone, missed, says, source: word }: IngressNode,
): BoundTimer | "unfit" | undefined {
  const report = (span: Span, fault: string, instead: string): "unfit" => {
    context.report(timerUnfit.at(span, { name: name.text, fault, instead }));
    return "unfit";
  };
  if (source !== "timer") {
    const extra = zone ?? missed ?? says;
    if (extra === undefined) return undefined;
    return report(
      extra.span,
      "only a timer has a time zone, missed runs and a message",
      "remove `in`, `missed` and `says`, or write `timer`",
    );
  }
  const form = 'write it as in `timer "0 3 * * *" in "Europe/Berlin" missed once says "Sum up."`';
  if (address === undefined) return report(word.span, "it does not state when it runs", form);
  if (zone === undefined) return report(address.span, "its time zone is missing", form);
  if (missed === undefined)
    return report(
      zone.span,
      "it does not state what becomes of missed runs",
      "write `missed skip`, `missed once` or `missed each`",
    );
  const choice = resolveWord(context, "choice for missed runs", MISSED, missed);
  const fault = findZoneFault(zone.value);
  if (fault !== undefined) return report(zone.span, fault, form);
  const schedule = readSchedule(address.value, zone.value);
  if (!schedule.ok) return report(address.span, `its schedule cannot be read: ${schedule.reason}`, form);
  if (says === undefined)
    return report(missed.span, "it does not state what the agent is asked", 'write `says "TEXT"` before `into`');
  const message = unwrapProse(says.value);
  const unfit = findMessageFault(message);
  if (unfit !== undefined) return report(says.span, unfit, `write 1 to ${MAX_MESSAGE_BYTES} bytes of text`);
  return choice === undefined ? "unfit" : { schedule: schedule.value, missed: choice, says: message };
}

function findMessageFault(message: string): string | undefined {
  if (message.trim() === "") return "its message is empty";
  return Buffer.byteLength(message) > MAX_MESSAGE_BYTES ? "its message is too long" : undefined;
}

/** Binds releases. `task` is the task that contains their lines; `undefined` means that they are outside of tasks. */
export function bindReleases(
  context: Context,
  words: FlowWords,
  nodes: readonly ReleaseNode[],
  task?: Task,
): Release[] {
  return nodes.flatMap((node): Release[] => {
    const [pattern] = bindPatterns(context, words, [{ kind: "named", name: node.tool, span: node.tool.span }]);
    const from = bindLabel(context, words.lattice, node.from);
    const to = bindLabel(context, words.lattice, node.to);
    const session = node.session && resolveSession(context, words.subjects, node.session);
    const lost = node.session !== undefined && session === undefined;
    const by = node.by.mode;
    if (pattern === undefined || from === undefined || to === undefined || lost) return [];
    if (by !== "consent" && by !== "stepUp") return [];
    return [{ act: node.act, pattern, from, to, by, session, task, words: renderRelease(node), node }];
  });
}

export function bindWaivers(context: Context, subjects: Subjects, nodes: readonly WaiveNode[]): Waiver[] {
  return nodes.flatMap((node): Waiver[] => {
    const assertion = resolveWord(context, "assertion of the standard library", INHERITED, node.assertion);
    const session = node.session && resolveSession(context, subjects, node.session);
    const lost = node.session !== undefined && session === undefined;
    if (node.session && session) checkCovers(context, subjects, session, node.session);
    return assertion === undefined || lost ? [] : [{ assertion, session, reason: node.because.value, node }];
  });
}
