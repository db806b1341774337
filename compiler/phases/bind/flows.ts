import { renderRelease } from "../../../lang/format/index.ts";
import type { IngressNode, ReleaseNode, WaiveNode } from "../../../lang/tree/index.ts";
import { type Context, declare, resolveWord } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import {
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
    if (source === undefined || into === undefined || label === undefined) return [];
    return [{ name: node.name.text, source, address: node.address?.value, into, label, node }];
  });
}

/** `task` is the task that contains the lines; `undefined` means that they are outside of tasks. */
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
