// Makes values of arguments: for each kind the schema, and a value with the words in which a person would say it.

import type { JsonRecord } from "../../../lib/policy/index.ts";
import { EVERYDAY, EVERYDAY_SCHEMAS } from "./everyday.ts";
import type { Random } from "./random.ts";
import { TOLD, TOLD_SCHEMAS } from "./spoken-values.ts";
import { capitalize, type Maker, makePlain, number, repeatMaker, type Value } from "./value.ts";
import type { World } from "./vocabulary.ts";

const TEXT: JsonRecord = { maxLength: 131_072, type: "string" };
const makeIntegerSchema = (minimum: number, maximum: number): JsonRecord => ({ maximum, minimum, type: "integer" });

/**
 * Schemas of kinds of values. A value of any other kind is an arbitrary text: some of these kinds could have a stricter
 * schema, but many tools state none.
 */
const SCHEMAS: Readonly<Record<string, JsonRecord>> = {
  bool: { type: "boolean" },
  decimal: { type: "number" },
  int: makeIntegerSchema(0, 4_294_967_295),
  count: makeIntegerSchema(0, 65_535),
  line: makeIntegerSchema(0, 4_294_967_295),
  pid: makeIntegerSchema(0, 4_294_967_295),
  port: makeIntegerSchema(1, 65_535),
  cents: makeIntegerSchema(1, 1_000_000),
  sides: makeIntegerSchema(2, 100),
  nice: makeIntegerSchema(-20, 19),
  words: { items: TEXT, type: "array" },
  ...EVERYDAY_SCHEMAS,
  ...TOLD_SCHEMAS,
};

export function deriveSchema(kind: string): JsonRecord {
  const options = parseOptions(kind);
  if (options !== undefined) return { enum: options.map(({ value }) => value), type: "string" };
  const members = parseMembers(kind);
  if (members === undefined) return SCHEMAS[kind] ?? TEXT;
  const names = members.map(([name]) => name).sort();
  const properties = Object.fromEntries(members.map(([name, inner]) => [name, deriveSchema(inner)]));
  return { additionalProperties: false, properties, required: names, type: "object" };
}

/** Returns the members of a record such as `{name: person, iban: iban}`; `undefined` for a kind that is not a record. */
export function parseMembers(kind: string): readonly (readonly [name: string, kind: string])[] | undefined {
  if (!kind.startsWith("{")) return undefined;
  return kind
    .slice(1, -1)
    .split(", ")
    .map((member) => member.split(": ") as [string, string]);
}

interface Option {
  readonly value: string;
  readonly words: readonly string[];
}

function parseOptions(kind: string): readonly Option[] | undefined {
  if (!kind.startsWith("oneof ")) return undefined;
  return kind
    .slice("oneof ".length)
    .split(" ")
    .map((option) => {
      const [value = "", words = value] = option.split("=");
      return { value, words: words.split("/").map((word) => word.replaceAll("_", " ")) };
    });
}

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

const noun: (random: Random, world: World) => string = (random, { nouns }) => random.pick(nouns);
const pickFromWords =
  (...options: readonly string[]): Maker =>
  (random) =>
    makePlain(random.pick(options));
const pickFromWorld =
  (of: (world: World) => readonly string[]): Maker =>
  (random, world) =>
    makePlain(random.pick(of(world)));

function makeCount(value: number, random: Random): Value {
  const word = NUMBERS[value];
  return { value, said: word !== undefined && random.flipCoin(0.3) ? word : `${value}`, isText: false };
}

function makeSlug(random: Random, world: World): string {
  const joint = random.pick(["-", "-", "_", ""]);
  const parts = random.flipCoin(0.5)
    ? [random.pick(world.adjectives), noun(random, world)]
    : [noun(random, world), random.flipCoin(0.5) ? noun(random, world) : `${random.drawBetween(1, 40)}`];
  return random.flipCoin(0.3) ? noun(random, world) : parts.join(joint);
}

function makeFolder(random: Random, world: World): string {
  const depth = random.drawBetween(1, 3);
  const roots = ["", "", "/srv/", "/var/", "/home/", "/data/", "/mnt/", "~/"];
  return random.pick(roots) + Array.from({ length: depth }, () => makeSlug(random, world)).join("/");
}

function makePath(random: Random, world: World): string {
  const ending = random.pick(["txt", "txt", "md", "md", "log", "csv", "json", "yaml", "conf", "pdf", "html", "sh"]);
  const name = `${makeSlug(random, world)}.${ending}`;
  return random.flipCoin(0.5) ? name : `${makeFolder(random, world)}/${name}`;
}

const drawDigits = (random: Random, length: number): string =>
  Array.from({ length }, () => random.drawBetween(0, 9)).join("");
const drawHex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.drawBetween(0, 15).toString(16)).join("");
function makeAddress(random: Random): string {
  const parts = [random.pick([10, 172, 192, 203, 198]), ...Array.from({ length: 3 }, () => random.drawBetween(1, 254))];
  return parts.join(".");
}

function makeDomain(random: Random, world: World): string {
  const host = random.pick(["www", "api", "mail", "shop", "blog", "git", noun(random, world)]);
  const top = random.pick(["com", "org", "net", "io", "example", "de", "eu"]);
  return random.flipCoin(0.4) ? `${makeSlug(random, world)}.${top}` : `${host}.${makeSlug(random, world)}.${top}`;
}

function makeUser(random: Random, { people, surnames }: World): string {
  const [first, last] = [random.pick(people), random.pick(surnames)];
  return random.pick([
    first,
    `${first}.${last}`,
    `${first.slice(0, 1)}${last}`,
    `${first}${random.drawBetween(1, 99)}`,
  ]);
}

function makePerson(random: Random, { people, surnames }: World): string {
  return `${capitalize(random.pick(people))} ${capitalize(random.pick(surnames))}`;
}

function makeId(random: Random): string {
  return random.pick([
    () => drawHex(random, 6),
    () => `${random.pick(["p", "t", "b", "m", "x", "a"])}-${random.drawBetween(1, 999)}`,
    () => `${random.pick(["AB", "QX", "ZT", "INC", "REF"])}${drawDigits(random, 4)}`,
    () => drawDigits(random, 5),
  ])();
}

function makeDate(random: Random): string {
  const [month, day] = [random.drawBetween(1, 12), random.drawBetween(1, 28)];
  return `${random.drawBetween(2025, 2031)}-${`${month}`.padStart(2, "0")}-${`${day}`.padStart(2, "0")}`;
}

function makeKey(random: Random, world: World): string {
  const parts = [noun(random, world), random.pick(["token", "key", "mode", "limit", "beta", noun(random, world)])];
  return parts.join(random.pick([".", "-", "_", ":"]));
}

function makeExpression(random: Random): string {
  const [a, b, c] = [random.drawBetween(1, 999), random.drawBetween(1, 99), random.drawBetween(2, 12)];
  return random.pick([`${a} + ${b}`, `${a} * ${b}`, `(${a} - ${b}) / ${c}`, `${a} / ${c}`, `${a}*${b}+${c}`]);
}

function makeSql(random: Random, world: World): string {
  const table = noun(random, world);
  return random.pick([
    `select * from ${table}`,
    `select count(*) from ${table}`,
    `select name from ${table} where id = ${random.drawBetween(1, 500)}`,
    `select max(${noun(random, world)}) from ${table}`,
  ]);
}

const MAKERS: Readonly<Record<string, Maker>> = {
  count: (random) => makeCount(random.flipCoin(0.6) ? random.drawBetween(1, 30) : random.drawBetween(31, 500), random),
  line: (random) => number(random.drawBetween(1, 400)),
  int: (random) =>
    number(random.pick([random.drawBetween(1, 100), random.drawBetween(1, 60) * 60, random.drawBetween(1, 64) * 256])),
  pid: (random) => number(random.drawBetween(1, random.pick([99, 999, 9999, 65_000]))),
  port: (random) => number(random.pick([22, 80, 443, 8080, 3000, 5432, random.drawBetween(1024, 65_535)])),
  cents: (random) => number(random.drawBetween(1, 90) * random.pick([50, 100, 125])),
  sides: (random) => number(random.pick([4, 6, 8, 10, 12, 20, 100])),
  nice: (random) => number(random.drawBetween(-20, 19)),
  decimal: (random) => number(random.flipCoin(0.5) ? random.drawBetween(1, 200) : random.drawBetween(1, 999) / 10),
  path: (random, world) => makePlain(makePath(random, world)),
  dir: (random, world) => makePlain(makeFolder(random, world)),
  pattern: (random, world) =>
    makePlain(
      random.pick([
        "error",
        "timeout",
        "out of memory",
        "refused",
        "oom",
        "denied",
        makeSlug(random, world),
        makeSlug(random, world),
      ]),
    ),
  sentence: pickFromWorld(({ sentences }) => sentences),
  title: pickFromWorld(({ titles }) => titles),
  topic: pickFromWorld(({ topics }) => topics),
  word: (random, world) => makePlain(makeSlug(random, world)),
  words: repeatMaker((random, world) => makePlain(makeSlug(random, world)), 1, 3),
  daemon: (random, world) =>
    makePlain(
      random.pick([
        "nginx",
        "sshd",
        "postgres",
        "redis",
        "cron",
        "dovecot",
        "caddy",
        makeSlug(random, world),
        makeSlug(random, world),
      ]),
    ),
  program: pickFromWorld(({ programs }) => programs),
  command: (random, world) =>
    makePlain(
      random.pick([`ls ${makeFolder(random, world)}`, `cat ${makePath(random, world)}`, "env", "df -h", "whoami"]),
    ),
  url: (random, world) =>
    makePlain(`https://${makeDomain(random, world)}${random.flipCoin(0.5) ? "" : `/${makeSlug(random, world)}`}`),
  domain: (random, world) => makePlain(makeDomain(random, world)),
  host: (random, world) =>
    makePlain(
      random.pick([
        `${noun(random, world)}-${random.drawBetween(1, 20)}`,
        `web${random.drawBetween(1, 9)}`,
        `node-${noun(random, world)}`,
        makeDomain(random, world),
      ]),
    ),
  ip: (random) => makePlain(makeAddress(random)),
  cidr: (random) => makePlain(`${makeAddress(random)}/${random.pick([8, 16, 24, 24, 28, 32])}`),
  iface: pickFromWords("eth0", "eth1", "wlan0", "enp3s0", "enp0s31f6", "br0", "lo", "tap2"),
  user: (random, world) => makePlain(makeUser(random, world)),
  person: (random, world) => makePlain(makePerson(random, world)),
  group: (random, world) =>
    makePlain(random.pick(["staff", "admins", "developers", "sales", "ops", noun(random, world)])),
  email: (random, world) => makePlain(`${makeUser(random, world)}@${makeDomain(random, world)}`),
  phone: (random) =>
    makePlain(`+${random.drawBetween(1, 99)} ${drawDigits(random, 3)} ${drawDigits(random, random.drawBetween(4, 7))}`),
  iban: (random) =>
    makePlain(`${random.pick(["DE", "FR", "ES", "AT", "NL"])}${drawDigits(random, random.drawBetween(14, 18))}`),
  package: (random, world) =>
    makePlain(
      random.pick([
        "htop",
        "vim",
        "git",
        "curl",
        "nginx",
        "ripgrep",
        `lib${noun(random, world)}`,
        makeSlug(random, world),
        `${noun(random, world)}-tools`,
      ]),
    ),
  version: (random) =>
    makePlain(
      `${random.pick(["", "", "v"])}${random.drawBetween(0, 12)}.${random.drawBetween(0, 20)}${random.flipCoin(0.6) ? `.${random.drawBetween(0, 30)}` : ""}`,
    ),
  image: (random, world) =>
    makePlain(
      `${noun(random, world)}:${random.pick(["latest", "stable", `${random.drawBetween(1, 20)}`, `${random.drawBetween(1, 9)}.${random.drawBetween(0, 9)}`])}`,
    ),
  instance: (random, world) => makePlain(makeSlug(random, world)),
  database: (random, world) => makePlain(makeSlug(random, world)),
  device: (random) =>
    makePlain(`/dev/${random.pick(["sda1", "sdb1", "sdb2", "sdc", "nvme0n1p2", "vdb", "mmcblk0p1", "sr0"])}`),
  zone: pickFromWords(
    "Europe/Berlin",
    "Europe/Paris",
    "America/New_York",
    "Asia/Tokyo",
    "UTC",
    "Australia/Sydney",
    "America/Lima",
    "Asia/Kolkata",
  ),
  id: (random) => makePlain(makeId(random)),
  date: (random) => makePlain(makeDate(random)),
  time: (random) => makePlain(`${random.drawBetween(0, 23)}:${random.pick(["00", "15", "30", "45", "05"])}`),
  cron: (random) =>
    makePlain(`${random.drawBetween(0, 59)} ${random.drawBetween(0, 23)} * * ${random.pick(["*", "1", "5", "1-5"])}`),
  branch: (random, world) =>
    makePlain(
      random.pick([
        "main",
        "develop",
        `fix/${makeSlug(random, world)}`,
        `release-${random.drawBetween(1, 9)}`,
        makeSlug(random, world),
      ]),
    ),
  metric: (random, world) =>
    makePlain(
      `${noun(random, world)}${random.pick([".", "_"])}${random.pick(["rate", "errors", "latency", "total", "bytes"])}`,
    ),
  key: (random, world) => makePlain(makeKey(random, world)),
  module: (random, world) =>
    makePlain(random.pick(["nf_nat", "kvm", "e1000e", "btusb", "loop", `snd_${noun(random, world)}`])),
  setting: (random, world) =>
    makePlain(`${random.pick(["net", "vm", "kernel", "fs"])}.${noun(random, world)}.${noun(random, world)}_max`),
  printer: (random, world) =>
    makePlain(
      random.pick([
        `${noun(random, world)}-${random.drawBetween(1, 9)}`,
        `laser_${noun(random, world)}`,
        `office${random.drawBetween(1, 30)}`,
      ]),
    ),
  city: pickFromWorld(({ cities }) => cities),
  expression: (random) => makePlain(makeExpression(random)),
  sql: (random, world) => makePlain(makeSql(random, world)),
  ...EVERYDAY,
  ...TOLD,
};

/** Returns a value of a kind that is neither a boolean nor a record. */
export function makeValue(kind: string, random: Random, world: World): Value {
  const options = parseOptions(kind);
  if (options !== undefined) {
    const { value, words: names } = random.pick(options);
    return { value, said: random.pick(names), isText: false };
  }
  const make = MAKERS[kind];
  if (make === undefined) throw new Error(`no values of the kind ${kind}`);
  return make(random, world);
}
