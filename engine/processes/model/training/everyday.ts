// Values of everyday things, in addition to those of machines in `values.ts`: sums of money, places, spans of time, lists of several values.

import type { JsonRecord } from "../../../lib/policy/index.ts";
import type { Random } from "./random.ts";
import { capitalize, drawLetters, type Maker, makePlain, number, repeatMaker, type Value } from "./value.ts";
import type { World } from "./vocabulary.ts";

const NUMBER: JsonRecord = { type: "number" };
const makeIntegerSchema = (minimum: number, maximum: number): JsonRecord => ({ maximum, minimum, type: "integer" });
const listOf = (items: JsonRecord): JsonRecord => ({ items, type: "array" });
const TEXTS: JsonRecord = listOf({ maxLength: 131_072, type: "string" });

/** Schemas of the kinds of values in this file. Kinds without a schema here are text. */
export const EVERYDAY_SCHEMAS: Readonly<Record<string, JsonRecord>> = {
  percent: makeIntegerSchema(0, 100),
  shift: makeIntegerSchema(-1000, 1000),
  minutes: makeIntegerSchema(0, 65_535),
  days: makeIntegerSchema(0, 65_535),
  year: makeIntegerSchema(1, 9999),
  money: NUMBER,
  degrees: NUMBER,
  place2d: NUMBER,
  numbers: listOf({ type: "integer" }),
  decimals: listOf(NUMBER),
  paths: TEXTS,
  people: TEXTS,
  emails: TEXTS,
  ids: TEXTS,
  foods: TEXTS,
};

const MINUTES: readonly (readonly [minutes: number, said: string])[] = [
  [15, "a quarter of an hour"],
  [30, "half an hour"],
  [60, "an hour"],
  [60, "one hour"],
  [90, "an hour and a half"],
  [120, "two hours"],
  [180, "3 hours"],
];
const DAYS: readonly (readonly [days: number, said: string])[] = [
  [1, "a day"],
  [1, "one day"],
  [7, "a week"],
  [7, "one week"],
  [14, "two weeks"],
  [21, "three weeks"],
  [14, "a fortnight"],
];

/**
 * Makes spans of time for requests. Most are worded as a number with its unit, others as people say them ("half an
 * hour").
 */
const makeSpan =
  (known: typeof MINUTES, unit: string, most: number): Maker =>
  (random) => {
    if (random.flipCoin(0.35)) return number(...random.pick(known));
    const count = random.drawBetween(2, most);
    return number(count, `${count} ${unit}`);
  };

/** Returns a signed number, whose minus may also be a word. */
function makeSigned(value: number, random: Random): Value {
  return number(value, value < 0 && random.flipCoin(0.3) ? `minus ${-value}` : `${value}`);
}

function money(random: Random): Value {
  const cents = random.drawBetween(1, 999) * random.pick([1, 5, 10, 50, 100, 100]);
  const value = cents / 100;
  return number(value, random.flipCoin(0.5) ? value.toFixed(2) : `${value}`);
}

const ROOMS = "kitchen hall bedroom bathroom cellar attic office garage nursery library lobby workshop studio pantry";
const FOODS = `apples bread butter milk eggs rice noodles onions carrots tomatoes cheese yoghurt ham salad soup olives
  honey flour sugar salt pepper coffee tea juice beans lentils potatoes chicken fish tofu spinach lemons pears plums`;
const room: Maker = (random, { nouns, adjectives }) =>
  makePlain(
    random.pick([
      random.pick(ROOMS.split(" ")),
      random.pick(ROOMS.split(" ")),
      `room ${random.drawBetween(1, 400)}`,
      `${random.pick(nouns)} room`,
      `${random.pick(adjectives)} ${random.pick(ROOMS.split(" "))}`,
    ]),
  );
const food: Maker = (random, { nouns, adjectives }) =>
  makePlain(
    random.pick([
      random.pick(FOODS.split(/\s+/)),
      random.pick(FOODS.split(/\s+/)),
      `${random.pick(adjectives)} ${random.pick(FOODS.split(/\s+/))}`,
      `${random.pick(nouns)} ${random.pick(["cake", "soup", "pie", "bread", "salad"])}`,
    ]),
  );
const phrase: Maker = (random, { nouns, adjectives }) =>
  makePlain(
    random.pick([
      random.pick(nouns),
      `${random.pick(adjectives)} ${random.pick(nouns)}`,
      `${random.pick(nouns)} ${random.pick(nouns)}`,
      `${random.pick(adjectives)} ${random.pick(nouns)} ${random.pick(nouns)}`,
    ]),
  );
const company: Maker = (random, { nouns, surnames }) =>
  makePlain(
    `${capitalize(random.pick([...nouns.slice(0, 80), ...surnames]))} ${random.pick(["Ltd", "Works", "Partners", "& Sons", "AG", "Foods", "Logistics", "Bank"])}`,
  );
const makeLogin: Maker = (random, { people, surnames }: World) =>
  makePlain(random.pick([random.pick(people), `${random.pick(people)}.${random.pick(surnames)}`]));
const makeFile: Maker = (random, { nouns }) =>
  makePlain(
    `${random.pick(nouns)}${random.pick(["", random.drawBetween(1, 30)])}.${random.pick(["pdf", "txt", "png", "csv"])}`,
  );
const code: Maker = (random) =>
  makePlain(`${drawLetters(random, random.drawBetween(1, 3))}${random.pick(["-", ""])}${random.drawBetween(1, 9999)}`);

export const EVERYDAY: Readonly<Record<string, Maker>> = {
  percent: (random) => number(random.pick([random.drawBetween(0, 100), random.drawBetween(0, 20) * 5])),
  shift: (random) => makeSigned(random.drawBetween(-60, 60), random),
  minutes: makeSpan(MINUTES, "minutes", 120),
  days: makeSpan(DAYS, "days", 60),
  year: (random) => number(random.drawBetween(1900, 2040)),
  money,
  degrees: (random) =>
    makeSigned(random.flipCoin(0.6) ? random.drawBetween(-30, 250) : random.drawBetween(-500, 500) / 10, random),
  place2d: (random) => number(random.drawBetween(-18_000, 18_000) / random.pick([100, 1000])),
  numbers: repeatMaker((random) => number(random.drawBetween(0, 90))),
  decimals: repeatMaker((random) => number(random.drawBetween(-90, 900) / 10)),
  paths: repeatMaker(makeFile),
  people: repeatMaker(makeLogin),
  emails: repeatMaker((random, { people, nouns }) =>
    makePlain(`${random.pick(people)}@${random.pick(nouns)}.${random.pick(["com", "org", "net"])}`),
  ),
  ids: repeatMaker(code),
  foods: repeatMaker(food),
  room,
  food,
  phrase,
  company,
  code,
  colour: (random) =>
    makePlain(
      random.pick([
        "red",
        "dark blue",
        "green",
        "white",
        "black",
        "yellow",
        "grey",
        `#${drawLetters(random, 0)}${random.drawBetween(100_000, 999_999)}`,
      ]),
    ),
  plate: (random) =>
    makePlain(
      `${drawLetters(random, random.drawBetween(1, 3))}-${drawLetters(random, 2)} ${random.drawBetween(1, 9999)}`,
    ),
  street: (random, { nouns, surnames }) =>
    makePlain(
      random.pick([
        `${random.drawBetween(1, 199)} ${capitalize(random.pick(nouns))} Street`,
        `${capitalize(random.pick(surnames))} Road ${random.drawBetween(1, 99)}`,
      ]),
    ),
  airport: (random) => makePlain(drawLetters(random, 3)),
  symbol: (random) => makePlain(drawLetters(random, random.drawBetween(2, 4))),
  stamp: (random) =>
    makePlain(
      `20${random.drawBetween(25, 31)}-0${random.drawBetween(1, 9)}-${random.drawBetween(10, 28)}T${random.drawBetween(10, 23)}:${random.pick(["00", "15", "30", "45"])}`,
    ),
  month: (random) => makePlain(`20${random.drawBetween(25, 31)}-${`${random.drawBetween(1, 12)}`.padStart(2, "0")}`),
  duration: (random) => makePlain(`${random.drawBetween(1, 90)}${random.pick(["s", "m", "h", "d", "ms"])}`),
  glob: (random, { nouns }) =>
    makePlain(
      random.pick(["*.log", "*.tmp", "*.jpg", "*.bak", `${random.pick(nouns)}*`, `*-${random.pick(nouns)}.txt`]),
    ),
  mode: (random) => makePlain(random.pick(["644", "600", "755", "700", "u+x", "go-w", "a+r"])),
  language: (random) =>
    makePlain(
      random.pick(["Danish", "Dutch", "Polish", "Korean", "Arabic", "Hindi", "Swedish", "Greek", "Turkish", "Czech"]),
    ),
  question: (random, { nouns }) =>
    makePlain(
      random.pick([
        `what shall we do with the ${random.pick(nouns)}?`,
        `where do we eat on Friday?`,
        `who brings the ${random.pick(nouns)}?`,
        `is the ${random.pick(nouns)} good enough?`,
        `which ${random.pick(nouns)} do you like?`,
      ]),
    ),
  column: (random, { nouns }) =>
    makePlain(
      random.pick([
        "name",
        "price",
        "country",
        "total",
        "created_at",
        "email",
        random.pick(nouns),
        `${random.pick(nouns)}_id`,
      ]),
    ),
};
