// Finds the lines of a page that explain a change if no rule does: an `only`, a label, a scope or a declaration.

import { getText, placeOf, type Span } from "../../../lang/text/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { ChangeReport, LineReport } from "./diff-report.ts";
import type { NamedSide } from "./side.ts";

/** A declaration of the page, with its attributes. */
interface Declared {
  readonly kind: string;
  readonly name: { readonly span: Span };
  readonly span: Span;
  readonly attributes: readonly { readonly kind: string; readonly span: Span }[];
}

type Change = Pick<ChangeReport, "what" | "before" | "after"> & { readonly places: readonly string[] };

/** Maximum number of lines that are shown for one change, and of characters of each. */
const MOST_LINES = 4;
const LONGEST_LINE = 120;

/**
 * Returns the lines of the newer page that state a change; `change.places` name what changed, such as `service notes`.
 * If only the older page has such a line, returns it, marked as gone. If neither has one, returns the head of the
 * declaration. For a decision, returns only lines that hide tools, because other lines of the report name the rules.
 */
export function locateChange(change: Change, before: NamedSide, after: NamedSide): readonly LineReport[] {
  const kinds = listAttributeKinds(change.what);
  const found = change.places.flatMap((place) => {
    const [old, now] = [before, after].map((side) => side.page && findDeclared(side.page.model, place));
    const stated = describeSpans(after, now, kinds);
    if (stated.length > 0) return stated;
    const gone = describeSpans(before, old, kinds).map((line) => ({
      ...line,
      span: undefined,
      applies: "gone" as const,
    }));
    return gone.length > 0 || change.what === "" ? gone : describeHeader(after, now);
  });
  return [...new Map(found.map((line) => [`${line.place} ${line.words}`, line])).values()].slice(0, MOST_LINES);
}

/**
 * For each property in a difference, the kinds of attributes that state it on a page, such as `quota` for `quota of …`.
 * The empty name stands for a decision about a hidden tool.
 */
const KINDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^$/, ["only", "suppress"]],
  [/^labels?$/, ["label"]],
  [/^(?:result from|result up to|arguments flow to)$/, ["label"]],
  [/^(?:may ask|asks by|bytes of an? |milliseconds of a request|pinned keys|credential|holds |grant of )/, ["grant"]],
  [/^bytes on the data disk$/, ["state"]],
  [/^(?:program|methods of its program)$/, ["exec"]],
  [/^strong /, ["strong"]],
  [/^start of conversations$/, ["starts"]],
  [/^principal /, ["principals"]],
  [/^(?:backend |order of backends$)/, ["models"]],
  [/^milliseconds per /, ["timeout"]],
  [/^quota of /, ["quota"]],
  [/^consent is remembered /, ["remember"]],
];

/** Properties whose name in a difference is also the name of their attribute on a page. */
const SAME_NAME: ReadonlySet<string> = new Set(["kind", "clearance", "login"]);

function listAttributeKinds(what: string): readonly string[] {
  if (SAME_NAME.has(what)) return [what];
  return KINDS.find(([pattern]) => pattern.test(what))?.[1] ?? [];
}

/**
 * Returns the declaration of what a change names: `service notes`, `tool notes.read`, `clerk`, `clerk.answer`. For a
 * tool, returns the declaration of its service; for a backend, returns `undefined`.
 */
function findDeclared(model: Model, place: string): Declared | undefined {
  const [, kind, name = ""] = /^(service|tool) ([^ ]+)$/.exec(place) ?? [];
  if (kind !== undefined) {
    const service = kind === "tool" ? model.tools.find((tool) => tool.name === name)?.service.name : name;
    return model.services.find((one) => one.name === service)?.node;
  }
  const { sessions, tasks, workers } = model;
  const session = sessions.find(({ id }) => id === place);
  if (session !== undefined) return session.node;
  // A session also has the tasks of the sessions that it extends. The id of such a task begins with another session, so
  // only the part after the session is compared.
  const narrower = [...tasks.flatMap((task) => [task, ...task.phases]), ...workers];
  const own = narrower.find(({ id }) => id === place);
  return (own ?? narrower.find(({ id }) => place.endsWith(id.slice(id.indexOf(".")))))?.node;
}

function describeSpans(
  side: NamedSide,
  declared: Declared | undefined,
  kinds: readonly string[],
): readonly LineReport[] {
  const spans = declared?.attributes.filter(({ kind }) => kinds.includes(kind)) ?? [];
  return spans.flatMap(({ span }) => describeSpan(side, span, getText(span)));
}

function describeHeader(side: NamedSide, declared: Declared | undefined): readonly LineReport[] {
  if (declared === undefined) return [];
  return describeSpan(side, declared.span, getText(declared.span).split("{", 1)[0] ?? "");
}

function describeSpan({ page }: NamedSide, span: Span, text: string): readonly LineReport[] {
  if (page === undefined) return [];
  const words = text.replaceAll(/\s+/g, " ").trim();
  const shown = words.length > LONGEST_LINE ? `${words.slice(0, LONGEST_LINE)}…` : words;
  const seen = page.view.span(span);
  return [{ words: shown, place: placeOf(seen), span: seen }];
}
