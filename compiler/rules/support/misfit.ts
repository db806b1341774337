import { isDomain, parseWildcard } from "../../../engine/lib/policy/index.ts";
import type { BoundCheck, BoundLiteral, BoundParameter } from "../../phases/bind/index.ts";
import type { Argument } from "./arguments.ts";

interface Misfit {
  readonly why: string;
  readonly instead: string;
}

const UNCONDITIONAL = "write the line without a condition on it, so that a person sees the value";

/** Returns why a check does not fit an argument, or `undefined` if it does. */
export function findMisfit(argument: Argument, check: BoundCheck): Misfit | undefined {
  const { each, extract } = check;
  if (extract !== "none") return findExtractMisfit(argument, check);
  if (each !== "single" && !argument.isElement && !isOpaque(argument))
    return { why: "it is not a list", instead: `write the condition without \`${each}\`` };
  return findTermMisfit(argument, check);
}

/**
 * Returns why a check on `urls(…)` or `addresses(…)` of a text does not fit, or `undefined` if it fits. The check must
 * fit each link as it would fit a URL, or each address as it would fit a plain text.
 */
function findExtractMisfit(argument: Argument, check: BoundCheck): Misfit | undefined {
  const { type, meaning } = argument;
  if (type.which !== "text" || (meaning !== undefined && meaning.kind !== "text"))
    return { why: "its type cannot contain links or addresses", instead: `\`${check.extract}\` is for running text` };
  if (check.term === "count") return findCountMisfit(check);
  return findTermMisfit({ ...argument, meaning: check.extract === "urls" ? { kind: "url" } : undefined }, check);
}

function findTermMisfit(argument: Argument, check: BoundCheck): Misfit | undefined {
  const { operator, term } = check;
  if (operator === "from") return findSourceMisfit(argument, check);
  switch (term) {
    case "has":
      return undefined;
    case "count":
      return argument.type.which === "list"
        ? findCountMisfit(check)
        : { why: "it is not a list", instead: "`count` is for lists, and for `urls(…)` and `addresses(…)` of a text" };
    case "domain":
      return findDomainMisfit(argument, check);
    case "date":
      return findTimeMisfit(argument, check, ["date", 'write it as "2026-12-31" or "2026-12-31T10:00:00Z"']);
    case "duration":
      return findTimeMisfit(argument, check, ["duration", 'write it as `5 min`, `30 s` or "PT5M"']);
    case "size":
    case "origin":
    case "value":
      if (operator === "under") return findUnderMisfit(argument, check);
      if (operator === "startsWith" || operator === "endsWith" || operator === "matches")
        return findPartMisfit(argument, check);
      return findPlainMisfit(argument, check);
  }
}

function findPlainMisfit(argument: Argument, check: BoundCheck): Misfit | undefined {
  if (check.term === "size") return findSizeMisfit(argument, check);
  return check.term === "origin" ? findOriginMisfit(argument, check) : findValueMisfit(argument, check);
}

/** Returns whether values of the argument's type may have parts that the gate does not check. */
function isOpaque({ type: { which } }: Argument): boolean {
  return which === "json" || which === "either";
}

function findCountMisfit({ literals }: BoundCheck): Misfit | undefined {
  const fits = literals.every((literal) => isAmount(literal, [undefined]));
  return explainUnlessFit(fits, "a count is a number", "write `count(…) <= 10`");
}

const DOMAINS = 'write `domain(…) in ["host.example"]` or `domain(…) under "host.example"`';

function findDomainMisfit({ type, meaning }: Argument, check: BoundCheck): Misfit | undefined {
  const isPlain = meaning === undefined || meaning.kind === "text" || meaning.kind === "url";
  if (type.which !== "text" || !isPlain)
    return { why: "it is not a URL or an e-mail address", instead: "`domain` is only for URLs and e-mail addresses" };
  if (check.literals.some((literal) => literal.kind === "text" && literal.text.includes("*")))
    return { why: "a wildcard is not a valid host", instead: 'write `domain(…) under "host.example"`' };
  const fits = check.literals.every((literal) => isText(literal, isDomain));
  return explainUnlessFit(fits && (isChoice(check) || check.operator === "under"), "that is not a domain", DOMAINS);
}

/** A file has many paths: `a`, `./a`, `b/../a`. A test for one of these paths would not match the others. */
const MANY_PATHS: Misfit = {
  why: "one file has many paths",
  instead:
    'write `under "/folder/a.txt"`: it covers that file in all its paths; if it is a folder, also everything below it',
};

function findPartMisfit({ type, meaning }: Argument, { term, operator, literals }: BoundCheck): Misfit | undefined {
  if (meaning?.kind === "path") return MANY_PATHS;
  if (meaning?.kind === "url") return MANY_SPELLINGS;
  const isPlain = term === "value" && type.which === "text" && meaning?.kind !== "money";
  if (!isPlain) return { why: "it is not a text", instead: `\`${operator}\` is for texts` };
  if (operator === "matches" && !literals.every(isPattern))
    return {
      why: "that is not a pattern",
      instead: "a pattern has 1 to 128 bytes and at most 8 `*`, and does not end in `\\`",
    };
  if (!literals.every((literal) => isText(literal)))
    return { why: "that is not a text", instead: `\`${operator}\` is for texts` };
  const isEmpty = literals.some((literal) => literal.kind === "text" && literal.text === "");
  return isEmpty ? { why: "every text meets this check", instead: "write the text that is required" } : undefined;
}

/**
 * Returns whether a literal is a text that passes `test`. A text parameter always passes, because its value is tested
 * when it is compared.
 */
function isText(literal: BoundLiteral, test: (text: string) => boolean = () => true): boolean {
  if (literal.kind === "parameter") return literal.parameter.kind === "text";
  return literal.kind === "text" && test(literal.text);
}

function isPattern(literal: BoundLiteral): boolean {
  return literal.kind === "text" && parseWildcard(literal.text) !== undefined;
}

/**
 * Returns why a check on a date or a duration does not fit, or `undefined` if it fits. Binding converts valid times to
 * milliseconds. A text that binding left unchanged is not a valid time, so the check does not fit.
 */
function findTimeMisfit(
  { type, meaning }: Argument,
  { literals }: BoundCheck,
  [what, instead]: readonly [what: "date" | "duration", instead: string],
): Misfit | undefined {
  const isPlain = type.which === "text" && (meaning === undefined || meaning.kind === "text");
  if (!isPlain) return { why: "it is not a text", instead: `\`${what}\` is for texts` };
  const unit = what === "date" ? "date" : "ms";
  const fits = literals.every((literal) => isAmount(literal, [unit]));
  return explainUnlessFit(fits, `that is not a ${what}`, instead);
}

const MANY_SPELLINGS: Misfit = {
  why: "one address has many spellings",
  instead: "write `origin(…) in […]` or `domain(…) in […]`",
};

function findUnderMisfit({ meaning }: Argument, { term, literals }: BoundCheck): Misfit | undefined {
  if (term !== "value" || meaning?.kind !== "path") return { why: "it is not a path", instead: "`under` is for paths" };
  return literals.every(isFolder)
    ? undefined
    : { why: "the folder is not an absolute path", instead: 'write it as `under "/folder"`, without `..`' };
}

/**
 * Returns why a check on sources does not fit, or `undefined` if it fits. A value of a type with few values, such as a
 * boolean, occurs in many places by chance, so its source cannot be determined.
 */
function findSourceMisfit({ type, meaning }: Argument, { term }: BoundCheck): Misfit | undefined {
  if (term === "size" || term === "date" || term === "duration")
    return { why: `a ${term} has no source`, instead: "write `from` for the text itself" };
  if (term === "origin" && meaning?.kind !== "url") return { why: "it is not a URL", instead: "`origin` is for URLs" };
  switch (type.which) {
    case "text":
    case "integer":
    case "number":
      return undefined;
    case "boolean":
    case "choice":
      return { why: "one of few possible values occurs by chance", instead: "compare it with the allowed values" };
    case "list":
    case "record":
    case "json":
    case "either":
      return findPartsMisfit(type.which);
  }
}

function findPartsMisfit(which: "list" | "record" | "json" | "either"): Misfit {
  switch (which) {
    case "list":
    case "record":
      return { why: "it has parts", instead: "write `from` for one of its fields: `name.field`" };
    case "json":
      return { why: "the gate does not check its content", instead: UNCONDITIONAL };
    case "either":
      return { why: "its value has one of several types", instead: UNCONDITIONAL };
  }
}

function isFolder(literal: BoundLiteral): boolean {
  if (literal.kind === "parameter") return literal.parameter.kind === "text";
  if (literal.kind !== "text" || !literal.text.startsWith("/")) return false;
  return !literal.text.split("/").includes("..") && !literal.text.includes("\0");
}

function findSizeMisfit({ type }: Argument, check: BoundCheck): Misfit | undefined {
  if (type.which !== "text") return { why: "only a text has a size", instead: "compare the value itself" };
  const fits = check.operator !== "in" && check.literals.every((literal) => isAmount(literal, ["bytes", undefined]));
  return fits ? undefined : { why: "a size is a number of bytes", instead: "write `size(…) <= 64 KiB`" };
}

function findOriginMisfit({ meaning }: Argument, check: BoundCheck): Misfit | undefined {
  if (meaning?.kind !== "url") return { why: "it is not a URL", instead: "`origin` is for URLs" };
  // A URL may have an asterisk in its host, but no real host has one, so a wildcard would match nothing.
  if (check.literals.some((literal) => literal.kind === "text" && literal.text.includes("*")))
    return {
      why: "a wildcard is not a valid host",
      instead: 'name each host: `origin(…) in ["https://a.example", "https://b.example"]`',
    };
  const fits = isChoice(check) && check.literals.every((literal) => isText(literal, isOrigin));
  return fits ? undefined : { why: "that is not an origin", instead: 'write `origin(…) in ["https://host.example"]`' };
}

/** Returns whether the text is an origin in the form of WHATWG URL: no path, no user, no default port, and lower case. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function findValueMisfit({ type, meaning }: Argument, check: BoundCheck): Misfit | undefined {
  switch (type.which) {
    case "boolean":
      return explainUnlessFit(
        isEquality(check) && check.literals.every(({ kind }) => kind === "boolean"),
        "it is true or false",
        "write `== true`",
      );
    case "integer":
    case "number":
      return explainUnlessFit(
        check.literals.every((literal) => isAmount(literal, ["bytes", undefined])),
        "it is a number",
        "write `<= 10`",
      );
    case "choice":
      return findChoiceMisfit(type.choice, check);
    case "text":
      return findTextMisfit(meaning, check);
    case "list":
      return { why: "it has parts", instead: "write `every(…)`, `some(…)` or `count(…)`" };
    case "record":
      return { why: "it has parts", instead: "compare one of its fields: `name.field`" };
    case "json":
    case "either":
      return findPartsMisfit(type.which);
  }
}

function findChoiceMisfit(choices: readonly string[], check: BoundCheck): Misfit | undefined {
  const known = check.literals.every((literal) => isText(literal, (text) => choices.includes(text)));
  const words = choices.map((choice) => `"${choice}"`).join(", ");
  return explainUnlessFit(isChoice(check) && known, "it is one of a list of words", `compare with one of ${words}`);
}

function findTextMisfit(meaning: Argument["meaning"], check: BoundCheck): Misfit | undefined {
  switch (meaning?.kind) {
    case "money": {
      const { currency } = meaning;
      const amounts = check.literals.every((literal) => isAmount(literal, [currency]));
      return explainUnlessFit(
        amounts,
        `it is an amount of ${currency}`,
        `write the amount with its currency: \`<= 100.00 ${currency}\``,
      );
    }
    case "path":
      return MANY_PATHS;
    case "url":
      return MANY_SPELLINGS;
    case "program":
    case "text":
    case undefined: {
      const texts = isChoice(check) && check.literals.every((literal) => isText(literal));
      return explainUnlessFit(texts, "it is a text", 'write `== "…"`, `in ["…"]` or `size(…)`');
    }
  }
}

function explainUnlessFit(holds: boolean, why: string, instead: string): Misfit | undefined {
  return holds ? undefined : { why, instead };
}

function isEquality({ operator }: BoundCheck): boolean {
  return operator === "equal" || operator === "notEqual";
}

function isChoice(check: BoundCheck): boolean {
  return isEquality(check) || check.operator === "in";
}

function isAmount(literal: BoundLiteral, units: readonly (string | undefined)[]): boolean {
  if (literal.kind === "parameter")
    return literal.parameter.kind !== "text" && units.includes(getUnit(literal.parameter));
  return literal.kind === "decimal" && units.includes(literal.unit);
}

/** Returns the unit of a parameter's values, by the same name as in literals; `undefined` if the values have no unit. */
function getUnit({ kind, currency }: BoundParameter): string | undefined {
  switch (kind) {
    case "text":
    case "number":
      return undefined;
    case "money":
      return currency;
    case "date":
      return kind;
    case "duration":
      return "ms";
    case "size":
      return "bytes";
  }
}
