// Whether some value of a type gives wanted answers to conditions about it. It errs to one side only: what it calls
// impossible is impossible for certain, so that a law may call it dead and a proof may leave it out.
import { type Decimal, isUnder, MAX_JSON_BYTES, originOf } from "../../../engine/lib/policy/index.ts";
import type { Type } from "../../../engine/lib/wire/generated/policy.ts";
import { type Amounts, type Demands, demandsOf, type Named, type Natural, type Signed } from "./demands.ts";
import { intervalOf, isInside, leavesFraction, leavesWhole, plainText } from "./interval.ts";
import { isKnowable } from "./knowable.ts";

const NOUGHT: Decimal = { digits: 0n, scale: 0 };

/** Whether one value could give each condition the answer that is wanted of it. `false` is certain. */
export function canBeAnswered(type: Type, signed: readonly Signed[]): boolean {
  if (!signed.every(({ condition }) => isKnowable(type, condition))) return false;
  const demands = demandsOf(signed, naturalOf(type));
  return (
    wordsLeave(type, demands) &&
    amountsLeave(demands.numbers, type.which === "integer") &&
    amountsLeave(demands.sizes, true) &&
    originsLeave(demands.origins) &&
    foldersLeave(demands)
  );
}

function naturalOf(type: Type): Natural {
  const sizes = [
    NOUGHT,
    whole(BigInt(type.which === "text" && type.text.maxBytes > 0 ? type.text.maxBytes : MAX_JSON_BYTES)),
  ] as const;
  switch (type.which) {
    case "integer":
      return { numbers: [whole(type.integer.low), whole(type.integer.high)], sizes };
    case "number":
      // Every larger one is a whole number, and the reader refuses those.
      return { numbers: [whole(-BigInt(Number.MAX_SAFE_INTEGER)), whole(BigInt(Number.MAX_SAFE_INTEGER))], sizes };
    case "boolean":
    case "text":
    case "choice":
    case "list":
    case "record":
      return { numbers: undefined, sizes };
  }
}

function whole(digits: bigint): Decimal {
  return { digits, scale: 0 };
}

function wordsLeave(type: Type, { words, sizes }: Demands): boolean {
  const start = wordsOf(type, words, sizes);
  if (start === undefined) return true;
  return start.some(
    (word) =>
      (words.allowed === undefined || words.allowed.has(word)) &&
      !words.refused.has(word) &&
      (type.which === "boolean" || amountsHold(sizes, whole(BigInt(Buffer.byteLength(word))))),
  );
}

/** All words that could be meant; nothing where there is no end of them. Of no bytes there is one text only. */
function wordsOf(type: Type, { allowed }: Named<string>, sizes: Amounts): readonly string[] | undefined {
  if (type.which === "choice") return type.choice;
  if (type.which === "boolean") return ["true", "false"];
  if (allowed !== undefined) return [...allowed.keys()];
  return type.which === "text" && !amountsLeave(withoutNought(sizes), true) ? [""] : undefined;
}

function withoutNought({ points, interval }: Amounts): Amounts {
  return { ...(points && { points }), interval: { ...interval, holes: new Set([...interval.holes, "0"]) } };
}

function amountsHold({ points, interval }: Amounts, value: Decimal): boolean {
  return isInside(value, interval) && (points === undefined || points.has(plainText(value)));
}

function amountsLeave({ points, interval }: Amounts, wholeOnly: boolean): boolean {
  const fits = (value: Decimal) => isInside(value, interval) && (!wholeOnly || isWhole(value));
  if (points !== undefined) return [...points.values()].some(fits);
  return wholeOnly ? leavesWhole(interval) : leavesFraction(interval);
}

function isWhole(value: Decimal): boolean {
  return !plainText(value).includes(".");
}

/** Other origins than those that are named there are always. */
function originsLeave({ allowed, refused }: Named<string>): boolean {
  return allowed === undefined || [...allowed.keys()].some((word) => !refused.has(word) && originOf(word) === word);
}

/** Two folders share a file only where one holds the other; the shortest path into the deepest is its own name. */
function foldersLeave({ inside, outside, sizes }: Demands): boolean {
  const deepest = inside.reduce((most, folder) => (folder.length > most.length ? folder : most), []);
  // Where all are parts of the way to the deepest one, each is part of the way to each that is deeper than it.
  if (!inside.every((folder) => isUnder(deepest, folder)) || outside.some((folder) => isUnder(deepest, folder))) {
    return false;
  }
  const shortest = { value: whole(BigInt(Buffer.byteLength(deepest.join("/")))), open: false };
  const low = intervalOf([shortest, ...(sizes.interval.low ? [sizes.interval.low] : [])], [], []).low;
  return amountsLeave({ ...sizes, interval: { ...sizes.interval, ...(low && { low }) } }, true);
}
