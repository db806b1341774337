import type { Diagnostic, Related } from "../../lang/diagnostics/index.ts";
import { bySource, textOf } from "../../lang/text/index.ts";
import { unknownName, unknownSchema } from "./codes.ts";

// One slip in a declaration makes each use of its name unknown. A person made one mistake, and is told of one.

/** Further places of a name that are shown; the rest is counted. */
const MAX_PLACES = 2;

/**
 * Each unknown name once, at its first place, with the other places beside it. Such a one has no fix: the slip may as well
 * be in the one declaration that is near.
 */
export function eachNameOnce(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = new Map<Diagnostic | string, Diagnostic[]>();
  const ordered = [...diagnostics].sort((left, right) => bySource(left.span, right.span));
  const schemas = new Set(ordered.filter(({ code }) => code === unknownSchema.code).map(nearTo));
  for (const diagnostic of ordered) {
    if (diagnostic.code === unknownName.code && isSaid(diagnostic, schemas)) continue;
    const key = keyOf(diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [others.length === 0 ? first : together(first, others)],
  );
}

/** The name is near to one with strange letters, or is what a misspelt schema was to be: that one has its message. */
function isSaid(diagnostic: Diagnostic, schemas: ReadonlySet<string>): boolean {
  return /[\u0080-\uffff]/.test(nearTo(diagnostic)) || schemas.has(textOf(diagnostic.span));
}

function keyOf(diagnostic: Diagnostic): Diagnostic | string {
  const { code, span } = diagnostic;
  if (code !== unknownName.code && code !== unknownSchema.code) return diagnostic;
  const near = nearTo(diagnostic);
  const [owner, ...method] = textOf(span).split(".");
  const [nearOwner, ...nearMethod] = near.split(".");
  // `notes.read` beside `noes.read`: what is unknown is the service.
  const ofOwner = owner !== nearOwner && method.join(".") === nearMethod.join(".");
  return ofOwner ? `${code} ${owner} ${nearOwner}` : `${code} ${textOf(span)} ${near}`;
}

/** The name that the help proposes; empty where it proposes none. */
function nearTo({ help = "" }: Diagnostic): string {
  return /^did you mean `([^`]*)`/.exec(help)?.[1] ?? "";
}

function together({ fix: _, ...first }: Diagnostic, others: readonly Diagnostic[]): Diagnostic {
  const more = others.length - MAX_PLACES;
  const related = others.slice(0, MAX_PLACES).map(({ span }, index): Related => {
    const last = index === MAX_PLACES - 1 && more > 0;
    return { span, message: last ? `here too, and in ${more} more ${more === 1 ? "place" : "places"}` : "here too" };
  });
  return { ...first, related };
}
