import { quoteText } from "../../../lang/format/index.ts";
import type {
  ClearanceNode,
  ModelsNode,
  Reference,
  SessionAttribute,
  SessionNode,
  WidenNode,
} from "../../../lang/tree/index.ts";
import { bindChains } from "./chains.ts";
import { unknownName } from "./codes.ts";
import { type Context, declare, noteUse, resolve, resolveWord, selectKind, takeOnce } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import {
  type Backend,
  type BoundLabel,
  type Choice,
  KINDS,
  LOGINS,
  type Principal,
  type Session,
  type Widening,
} from "./model/index.ts";
import { bindLine, bindNarrowings, type NarrowingWords } from "./narrowing.ts";
import { bindQuotas } from "./quotas.ts";

interface SessionWords extends NarrowingWords {
  readonly principals: ReadonlyMap<string, Principal>;
  readonly backends: ReadonlyMap<string, Backend>;
}

/** Sessions of the page and of the modules that it uses (`profiles.operator`), by name. */
interface SessionNodes {
  readonly page: readonly SessionNode[];
  readonly modules: ReadonlyMap<string, readonly SessionNode[]>;
}

export function bindSessions(context: Context, words: SessionWords, nodes: SessionNodes): Map<string, Session> {
  const named = new Map<string, SessionNode>();
  for (const node of nodes.page) declare(context, { names: named, what: "session", name: node.name, declared: node });
  const page = new Set(named.values());
  for (const [module, sessions] of nodes.modules) {
    for (const session of sessions) {
      const id = `${module}.${session.name.text}`;
      named.set(id, session);
      context.named({ span: session.name.span, what: "session", id, declares: true });
    }
  }
  const bases = new Map<SessionNode, SessionNode | undefined>();
  for (const node of named.values()) bases.set(node, node.base && resolveBase(context, named, node.base.name));
  const ids = new Map([...named].map(([id, node]) => [node, id]));
  const bound = bindChains<SessionNode, Session>(context, {
    what: "sessions",
    nodes: [...named.values()],
    baseOf: (node) => bases.get(node),
    build: (node, base, chain) => {
      const id = ids.get(node) ?? node.name.text;
      const lost = node.base !== undefined && base === undefined;
      const damaged = node.damaged || chain === "cut" || lost || base?.damaged === true;
      return bindSession(context, words, node, { id, base, damaged, own: page.has(node) });
    },
  });
  return new Map([...bound.values()].map((session) => [session.id, session]));
}

function resolveBase(
  context: Context,
  named: ReadonlyMap<string, SessionNode>,
  name: Reference,
): SessionNode | undefined {
  const first = name.parts[0]?.text ?? "";
  const found = named.get(name.text);
  if (found !== undefined) noteUse(context, "session", name.text, name.span);
  if (found !== undefined || context.lost.has(first)) return found;
  if (first === "profiles" && ![...named.keys()].some((id) => id.startsWith("profiles."))) {
    const hint = "`use std.profiles` brings the standard profiles";
    context.report(unknownName.at(name.span, { what: "session", name: name.text, near: undefined, hint }));
    return undefined;
  }
  return resolve(context, { names: named, what: "session", name: { text: name.text, span: name.span } });
}

type Standing = Pick<Session, "id" | "base" | "damaged" | "own">;

function bindSession(context: Context, words: SessionWords, node: SessionNode, standing: Standing): Session {
  const { attributes } = node;
  const starts = takeOnce(context, "`starts`", selectKind(attributes, "starts"));
  const requirement = takeOnce(context, "`requires task`", selectKind(attributes, "requires"));
  return {
    ...standing,
    abstract: node.abstract,
    relation: node.base?.relation,
    kind: bindKind(context, attributes),
    principals: bindSessionPrincipals(context, words, attributes),
    login: bindLogin(context, attributes),
    taskRequirement: requirement && { span: requirement.span },
    starts: starts && bindLabel(context, words.lattice, starts.label),
    clearance: bindClearance(context, words, selectKind(attributes, "clearance")),
    models: bindModels(context, words, selectKind(attributes, "models")),
    ...bindNarrowings(context, words, attributes),
    widenings: selectKind(attributes, "widen").map((widen) => bindWidening(context, words, widen)),
    node,
  };
}

function bindKind(context: Context, attributes: readonly SessionAttribute[]): Session["kind"] {
  const node = takeOnce(context, "`kind`", selectKind(attributes, "kind"));
  if (node === undefined) return undefined;
  const name = resolveWord(context, "kind of session", KINDS, node.name);
  return name && { name, span: node.span };
}

function bindSessionPrincipals(
  context: Context,
  words: SessionWords,
  attributes: readonly SessionAttribute[],
): readonly Principal[] | undefined {
  const node = takeOnce(context, "`principals`", selectKind(attributes, "principals"));
  const bound = node?.names.flatMap(
    (name) => resolve(context, { names: words.principals, what: "principal", name }) ?? [],
  );
  return bound && [...new Set(bound)];
}

function bindLogin(context: Context, attributes: readonly SessionAttribute[]): Session["login"] {
  const node = takeOnce(context, "`login`", selectKind(attributes, "login"));
  if (node === undefined) return undefined;
  const proof = resolveWord(context, "proof of a login", LOGINS, node.proof);
  return proof && { proof, span: node.span };
}

function bindClearance(context: Context, words: SessionWords, nodes: readonly ClearanceNode[]): BoundLabel | undefined {
  const node = takeOnce(context, "`clearance`", nodes);
  return node && bindLabel(context, words.lattice, node.label);
}

function bindModels(
  context: Context,
  words: SessionWords,
  nodes: readonly ModelsNode[],
): readonly Choice[] | undefined {
  const node = takeOnce(context, "`models`", nodes);
  return node?.choices.flatMap(({ mode, backend, span }) => {
    const bound = resolve(context, { names: words.backends, what: "backend", name: backend });
    return bound === undefined ? [] : [{ backend: bound, mode: mode.mode, span }];
  });
}

function bindWidening(context: Context, words: SessionWords, node: WidenNode): Widening {
  const { changes, because, until } = node;
  const reason = `because ${quoteText(because.value)}`;
  const quotas = selectKind(changes, "quota").flatMap((quota) => quota.entries);
  return {
    lines: selectKind(changes, "line").map((change) => bindLine(context, words, change.line)),
    models: bindModels(context, words, selectKind(changes, "models")),
    clearance: bindClearance(context, words, selectKind(changes, "clearance")),
    quotas: bindQuotas(context, words.categories, quotas),
    words: until === undefined ? reason : `${reason} until ${quoteText(until.value)}`,
    node,
  };
}
