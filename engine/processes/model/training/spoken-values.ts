// Values as people say them: days and hours that a call copies verbatim, places, titles of works, search phrases, remarks of several
// clauses, large numbers, spans in other units than minutes. The model learns where such a value ends.

import type { JsonRecord } from "../../../lib/policy/index.ts";
import type { Random } from "./random.ts";
import { capitalize, drawLetters, type Maker, makePlain, number, repeatMaker, type Value } from "./value.ts";
import type { World } from "./vocabulary.ts";

const COUNT: JsonRecord = { maximum: 65_535, minimum: 0, type: "integer" };
const TEXTS: JsonRecord = { items: { maxLength: 131_072, type: "string" }, type: "array" };

/** Schemas of the kinds of values in this file. Kinds without a schema here are text. */
export const TOLD_SCHEMAS: Readonly<Record<string, JsonRecord>> = {
  hours: COUNT,
  seconds: COUNT,
  months: COUNT,
  large: { maximum: 4_294_967_295, minimum: 0, type: "integer" },
  ratio: { type: "number" },
  cities: TEXTS,
  hosts: TEXTS,
  symbols: TEXTS,
};

const WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(" ");
const COUNTRIES = "France Spain Japan Canada Italy Peru Kenya Chile Norway Poland Turkey Brazil Ireland Vietnam".split(
  " ",
);

function makeDay(random: Random): string {
  const [of, month, weekday] = [random.drawBetween(1, 28), random.pick(MONTHS), random.pick(WEEKDAYS)];
  return random.pick([
    random.pick(["today", "tomorrow", "the day after tomorrow", "yesterday", "this weekend"]),
    weekday,
    `next ${weekday}`,
    `${of} ${month}`,
    `${month} ${of}`,
    `${month} ${of}, ${random.drawBetween(2024, 2030)}`,
    `${of} ${month} ${random.drawBetween(2024, 2030)}`,
    `${`${of}`.padStart(2, "0")}.${`${random.drawBetween(1, 12)}`.padStart(2, "0")}.${random.drawBetween(2024, 2030)}`,
  ]);
}

function makeClock(random: Random): string {
  const [hour, minute] = [random.drawBetween(1, 12), random.pick(["00", "15", "30", "45", "10", "50"])];
  return random.pick([
    `${hour} ${random.pick(["am", "pm"])}`,
    `${hour}${random.pick(["am", "pm"])}`,
    `${hour}:${minute} ${random.pick(["am", "pm"])}`,
    `${random.drawBetween(0, 23)}:${minute}`,
    `${`${random.drawBetween(0, 23)}`.padStart(2, "0")}:${minute}`,
    random.pick(["noon", "midnight", "half past six", "quarter to nine", "eight o'clock"]),
  ]);
}

function makeMoment(random: Random): string {
  return random.pick([
    `${makeDay(random)} at ${makeClock(random)}`,
    `${makeDay(random)} at ${makeClock(random)}`,
    `${random.pick(WEEKDAYS)} ${random.pick(["morning", "evening", "night"])}`,
    `in ${random.drawBetween(2, 50)} ${random.pick(["minutes", "hours", "days"])}`,
    random.pick(["tonight", "tomorrow morning", "end of the month", "tonight at ten"]),
  ]);
}

function place(random: Random, { cities }: World): string {
  const city = random.pick(cities);
  return random.pick([
    city,
    city,
    `${city}, ${random.pick(COUNTRIES)}`,
    `${city} ${random.pick(["Airport", "Central Station", "Old Town", "North", "Harbour"])}`,
  ]);
}

/** Returns the title of a book, a film or a song. */
function makeWork(random: Random, { adjectives, nouns, people }: World): string {
  const [one, other, how] = [
    capitalize(random.pick(nouns)),
    capitalize(random.pick(nouns)),
    capitalize(random.pick(adjectives)),
  ];
  return random.pick([
    `The ${how} ${one}`,
    `${one} of the ${other}`,
    `${one} and ${other}`,
    `${how} ${one}`,
    `A ${one} for ${capitalize(random.pick(people))}`,
    `${one} ${random.drawBetween(2, 9)}`,
  ]);
}

/** Returns a text as a person would type it into a search box. */
function makeQuery(random: Random, { adjectives, nouns, topics, cities }: World): string {
  const [one, how] = [random.pick(nouns), random.pick(adjectives)];
  return random.pick([
    random.pick(topics),
    `${how} ${one}`,
    `${one} ${random.pick(nouns)} ${random.pick(["guide", "repair", "reviews", "timeout", "not found", "kit"])}`,
    `${how} ${one} with ${random.pick(nouns)}`,
    `${one} near ${random.pick(cities)}`,
    `${one} vs ${random.pick(nouns)}`,
  ]);
}

function makeRemark(random: Random, { sentences, people }: World): string {
  const [one, other] = [random.pick(sentences), random.pick(sentences)];
  return random.pick([
    one,
    `${one}, ${other}`,
    `${one} and ${other}`,
    `${one} because ${other}`,
    `${capitalize(random.pick(people))} says ${one}`,
    `${capitalize(one)}. ${capitalize(other)}.`,
  ]);
}

function makeSubject(random: Random, { nouns, topics, titles }: World): string {
  return random.pick([
    `Invoice ${random.drawBetween(100, 9999)}`,
    `Re: ${random.pick(topics)}`,
    capitalize(random.pick(titles)),
    `News from ${capitalize(random.pick(nouns))}`,
    `${capitalize(random.pick(nouns))} ${random.pick(["report", "offer", "invitation", "minutes"])} ${random.pick(MONTHS)}`,
  ]);
}

const size: Maker = (random) =>
  makePlain(
    `${random.pick([random.drawBetween(1, 64), random.drawBetween(1, 20) * 50, 1.5, 2.5])}${random.pick("G M T GB MB Gi Mi".split(" "))}`,
  );

const LARGE: readonly ((random: Random) => Value)[] = [
  (random) => number(random.drawBetween(1, 999) * 100),
  (random) => groupThousands(random.drawBetween(11, 999) * 100),
  (random) => groupThousands(random.drawBetween(1000, 2_500_000)),
  (random) => spellOut(random.drawBetween(2, 90), 1000, ["k", " thousand"], random),
  (random) => spellOut(random.drawBetween(2, 40), 1_000_000, [" million"], random),
];
const groupThousands = (value: number): Value => number(value, `${value}`.replace(/\B(?=(\d{3})+$)/g, ","));
const spellOut = (value: number, times: number, units: readonly string[], random: Random): Value =>
  number(value * times, `${value}${random.pick(units)}`);

/** Makes spans of time: some have a name, most are a number with its unit. */
const makeSpan =
  (known: Readonly<Record<string, number>>, unit: string, most: number): Maker =>
  (random) => {
    if (random.flipCoin(0.4)) {
      const [said, value] = random.pick(Object.entries(known));
      return number(value, said);
    }
    const count = random.drawBetween(2, most);
    return number(count, `${count} ${unit}`);
  };

export const TOLD: Readonly<Record<string, Maker>> = {
  day: (random) => makePlain(makeDay(random)),
  clock: (random) => makePlain(makeClock(random)),
  moment: (random) => makePlain(makeMoment(random)),
  place: (random, world) => makePlain(place(random, world)),
  work: (random, world) => makePlain(makeWork(random, world)),
  query: (random, world) => makePlain(makeQuery(random, world)),
  remark: (random, world) => makePlain(makeRemark(random, world)),
  subject: (random, world) => makePlain(makeSubject(random, world)),
  country: (random) => makePlain(random.pick(COUNTRIES)),
  size,
  large: (random) => random.pick(LARGE)(random),
  ratio: (random) => number(random.drawBetween(1, 99) / 100),
  hours: makeSpan({ "an hour": 1, "two hours": 2, "half a day": 12, "a day": 24, "two days": 48 }, "hours", 72),
  seconds: makeSpan({ "half a minute": 30, "a minute": 60, "two minutes": 120, "five minutes": 300 }, "seconds", 90),
  months: makeSpan({ "a month": 1, "three months": 3, "half a year": 6, "a year": 12, "two years": 24 }, "months", 60),
  cities: repeatMaker((random, { cities }) => makePlain(random.pick(cities)), 2),
  hosts: repeatMaker((random, { nouns }) => makePlain(`${random.pick(nouns)}-${random.drawBetween(1, 20)}`), 2),
  symbols: repeatMaker((random) => makePlain(drawLetters(random, random.drawBetween(2, 4))), 2),
};
