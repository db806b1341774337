import { assertText } from "../../../lang/format/index.ts";
import type { AssertNode, Claim, Pattern, Reference } from "../../../lang/tree/index.ts";
import { unknownName } from "./codes.ts";
import { type Context, noteUse } from "./context.ts";
import type { FlowWords } from "./flows.ts";
import { bindLabel } from "./lattice.ts";
import type { Assertion, Backend, BoundClaim, BoundPattern, FlowTarget } from "./model/index.ts";
import { bindPatterns, resolveInterface } from "./patterns.ts";
import { bindQuotas } from "./quotas.ts";
import { checkCovers, resolveSubject } from "./subjects.ts";

export interface ClaimWords extends FlowWords {
  readonly backends: ReadonlyMap<string, Backend>;
}

/** Returns the assertions in which every name is known. */
export function bindAssertions(context: Context, words: ClaimWords, nodes: readonly AssertNode[]): Assertion[] {
  return nodes.flatMap((node): Assertion[] => {
    const claim = bindClaim(context, words, node.claim);
    const subject = node.subject && resolveSubject(context, words.subjects, node.subject);
    if (claim === undefined || (node.subject !== undefined && subject === undefined)) return [];
    if (node.subject && subject) checkCovers(context, words.subjects, subject.session, node.subject);
    return [{ claim, subject, withoutReleases: node.withoutReleases, words: assertText(node), node }];
  });
}

function bindClaim(context: Context, words: ClaimWords, claim: Claim): BoundClaim | undefined {
  switch (claim.kind) {
    case "never-flow": {
      const label = bindLabel(context, words.lattice, claim.label);
      const to = resolveTarget(context, words, claim.to);
      return label && to && { kind: "never-flow", label, to };
    }
    case "never-trifecta":
      return { kind: "never-trifecta" };
    case "never-call": {
      const patterns = bindWholeList(context, words, claim.patterns);
      return patterns && { kind: "never-call", patterns, ungated: claim.ungated, directly: claim.directly };
    }
    case "always": {
      const patterns = bindWholeList(context, words, claim.patterns);
      return patterns && { kind: "always", mode: claim.mode.mode, patterns, directly: claim.directly };
    }
    case "limit": {
      const [quota] = bindQuotas(context, words.categories, [claim.quota]);
      return quota && { kind: "limit", quota };
    }
  }
}

/**
 * Returns the patterns of a list, or `undefined` if one name is unknown, because a shorter list would assert less than
 * the page states.
 */
function bindWholeList(context: Context, words: ClaimWords, nodes: readonly Pattern[]): BoundPattern[] | undefined {
  const patterns = bindPatterns(context, words, nodes);
  return patterns.length < nodes.length ? undefined : patterns;
}

/**
 * Returns the target of a flow: a backend, a service, or an interface, which means all of its services. If the name is
 * unknown, reports it and returns `undefined`.
 */
function resolveTarget(context: Context, words: ClaimWords, name: Reference): FlowTarget | undefined {
  const backend = words.backends.get(name.text);
  if (backend !== undefined) {
    noteUse(context, "backend", backend.name, name.span);
    return { kind: "backend", backend };
  }
  const service = words.services.get(name.text);
  if (service !== undefined) {
    noteUse(context, "service", service.name, name.span);
    return { kind: "service", service };
  }
  if (/^[A-Z]/.test(name.parts[name.parts.length - 1]?.text ?? "")) {
    const face = resolveInterface(context, words, name);
    return face && { kind: "interface", interface: face };
  }
  if (context.lost.has(name.text)) return undefined;
  const near = context.suggest(name.text, [...words.backends.keys(), ...words.services.keys()]);
  const fix = near === undefined ? undefined : { span: name.span, replacement: near, guess: "name" as const };
  context.report(unknownName.at(name.span, { what: "backend or service", name: name.text, near }, { fix }));
  return undefined;
}
