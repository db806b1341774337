import type { BoundCheck, BoundLiteral } from "../../phases/bind/index.ts";
import type { Argument } from "./arguments.ts";

interface Misfit {
  readonly why: string;
  readonly instead: string;
}

const UNCONDITIONAL = "write the line without a condition on it, so that a person sees the value";

/** Why a check cannot be made of an argument; nothing where it fits. */
export function findMisfit(argument: Argument, check: BoundCheck): Misfit | undefined {
  if (check.operator === "under") return findUnderMisfit(argument, check);
  if (check.operator === "from") return findSourceMisfit(argument, check);
  switch (check.term) {
    case "size":
      return findSizeMisfit(argument, check);
    case "origin":
      return findOriginMisfit(argument, check);
    case "value":
      return findValueMisfit(argument, check);
  }
}

function findUnderMisfit({ meaning }: Argument, { term, literals }: BoundCheck): Misfit | undefined {
  if (term !== "value" || meaning?.kind !== "path") return { why: "it is no path", instead: "`under` is for paths" };
  return literals.every(isFolder)
    ? undefined
    : { why: "the folder is not written from the top", instead: 'write it as `under "/folder"`, without `..`' };
}

/** Small values occur everywhere by chance: of them nobody can tell whose they are. */
function findSourceMisfit({ type, meaning }: Argument, { term }: BoundCheck): Misfit | undefined {
  if (term === "size") return { why: "a size is nobody's words", instead: "ask of the text itself" };
  if (term === "origin" && meaning?.kind !== "url") return { why: "it is no URL", instead: "`origin` is for URLs" };
  switch (type.which) {
    case "text":
    case "integer":
    case "number":
      return undefined;
    case "boolean":
    case "choice":
      return { why: "a value of a few occurs by chance", instead: "compare it with what it may be" };
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
      return { why: "it has parts", instead: "ask of a field of it: `name.field`" };
    case "json":
      return { why: "the gate does not look inside it", instead: UNCONDITIONAL };
    case "either":
      return { why: "its value has one of several shapes", instead: UNCONDITIONAL };
  }
}

function isFolder(literal: BoundLiteral): boolean {
  if (literal.kind !== "text" || !literal.text.startsWith("/")) return false;
  return !literal.text.split("/").includes("..") && !literal.text.includes("\0");
}

function findSizeMisfit({ type }: Argument, check: BoundCheck): Misfit | undefined {
  if (type.which !== "text") return { why: "only a text has a size", instead: "compare the value itself" };
  const fits = check.operator !== "in" && check.literals.every((literal) => isAmount(literal, ["bytes", undefined]));
  return fits ? undefined : { why: "a size is a number of bytes", instead: "write `size(…) <= 64 KiB`" };
}

function findOriginMisfit({ meaning }: Argument, check: BoundCheck): Misfit | undefined {
  if (meaning?.kind !== "url") return { why: "it is no URL", instead: "`origin` is for URLs" };
  // An address may have an asterisk in its host, and no host has one: nothing stands for several here.
  if (check.literals.some((literal) => literal.kind === "text" && literal.text.includes("*")))
    return {
      why: "a wildcard is no host",
      instead: 'name each host: `origin(…) in ["https://a.example", "https://b.example"]`',
    };
  const fits = isChoice(check) && check.literals.every((literal) => literal.kind === "text" && isOrigin(literal.text));
  return fits ? undefined : { why: "that is no origin", instead: 'write `origin(…) in ["https://host.example"]`' };
}

/** As WHATWG URL writes it: no path, no user, no default port, lower case. */
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
    case "record":
      return { why: "it has parts", instead: "compare a field of it: `name.field`" };
    case "json":
    case "either":
      return findPartsMisfit(type.which);
  }
}

function findChoiceMisfit(choices: readonly string[], check: BoundCheck): Misfit | undefined {
  const known = check.literals.every((literal) => literal.kind === "text" && choices.includes(literal.text));
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
    // One file has many spellings: `a`, `./a`, `b/../a`. A test for one of them would be passed by the others.
    case "path":
      return { why: "one file has many paths", instead: 'write `under "/folder"`' };
    case "url":
      return { why: "one address has many spellings", instead: "write `origin(…) in […]`" };
    case "program":
    case "text":
    case undefined: {
      const texts = isChoice(check) && check.literals.every(({ kind }) => kind === "text");
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
  return literal.kind === "decimal" && units.includes(literal.unit);
}
