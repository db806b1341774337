import type { Diagnostic, Related } from "../../../lang/diagnostics/index.ts";
import { compareSpans, getText } from "../../../lang/text/index.ts";
import { type UnknownName, unknownName, unknownSchema } from "./codes.ts";

// Merges messages about one misspelt declaration: such a declaration makes every use of the correct name unknown, although the page has
// only one mistake.

/**
 * Maximum number of further places that a message about an unknown name shows. For all later places the message states
 * only how many there are.
 */
const MAX_PLACES = 2;

/**
 * Merges all diagnostics of an unknown name into one diagnostic at its first place, with the other places attached. The
 * merged diagnostic has no fix, because the mistake may be in the declaration with the similar name.
 */
export function mergeRepeatedNames(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = new Map<Diagnostic | string, Diagnostic[]>();
  const ordered = [...diagnostics].sort((left, right) => compareSpans(left.span, right.span));
  const unknown = ordered.filter(isUnknown);
  const schemas = new Set(unknown.filter(({ code }) => code === unknownSchema.code).map(({ near }) => near));
  for (const diagnostic of ordered) {
    if (isUnknown(diagnostic) && isSaid(diagnostic, schemas)) continue;
    const key = isUnknown(diagnostic) ? computeKey(diagnostic) : diagnostic;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [others.length === 0 ? first : mergeDiagnostics(first, others)],
  );
}

/**
 * Returns whether a message about an unknown name would repeat another message. It would if the similar name, `near`,
 * has characters outside ASCII: these are an error of their own. It would also if a message about a misspelt schema
 * already suggests the unknown name as the correct spelling.
 */
function isSaid({ code, span, near = "" }: UnknownName, schemas: ReadonlySet<string | undefined>): boolean {
  return code === unknownName.code && (/[\u0080-\uffff]/.test(near) || schemas.has(getText(span)));
}

function computeKey({ code, span, near = "" }: UnknownName): string {
  const [owner, ...method] = getText(span).split(".");
  const [nearOwner, ...nearMethod] = near.split(".");
  // If `notes.read` is unknown but `noes.read` is known, the unknown name is the name of the service.
  const ofOwner = owner !== nearOwner && method.join(".") === nearMethod.join(".");
  return ofOwner ? `${code} ${owner} ${nearOwner}` : `${code} ${getText(span)} ${near}`;
}

function isUnknown(diagnostic: Diagnostic): diagnostic is UnknownName {
  return "near" in diagnostic;
}

function mergeDiagnostics({ fix: _, ...first }: Diagnostic, others: readonly Diagnostic[]): Diagnostic {
  const more = others.length - MAX_PLACES;
  const related = others.slice(0, MAX_PLACES).map(({ span }, index): Related => {
    const last = index === MAX_PLACES - 1 && more > 0;
    return { span, message: last ? `here too, and in ${more} more ${more === 1 ? "place" : "places"}` : "here too" };
  });
  return { ...first, related };
}
