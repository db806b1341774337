// Values of arguments: by kind, what the schema says of it, and one value with the words that a person uses for it.

import type { JsonRecord } from "../../../lib/policy/index.ts";
import { EVERYDAY, EVERYDAY_SCHEMAS } from "./everyday.ts";
import type { Random } from "./random.ts";
import { TOLD, TOLD_SCHEMAS } from "./told.ts";
import { type Maker, number, plain, severally, upper, type Value } from "./value.ts";
import type { World } from "./vocabulary.ts";

const TEXT: JsonRecord = { maxLength: 131_072, type: "string" };
const int = (minimum: number, maximum: number): JsonRecord => ({ maximum, minimum, type: "integer" });

/** Kinds whose schema is more than text. Some of them a schema could bound; many do not. */
const SCHEMAS: Readonly<Record<string, JsonRecord>> = {
  bool: { type: "boolean" },
  decimal: { type: "number" },
  int: int(0, 4_294_967_295),
  count: int(0, 65_535),
  line: int(0, 4_294_967_295),
  pid: int(0, 4_294_967_295),
  port: int(1, 65_535),
  cents: int(1, 1_000_000),
  sides: int(2, 100),
  nice: int(-20, 19),
  words: { items: TEXT, type: "array" },
  ...EVERYDAY_SCHEMAS,
  ...TOLD_SCHEMAS,
};

export function schemaOf(kind: string): JsonRecord {
  const options = optionsOf(kind);
  if (options !== undefined) return { enum: options.map(({ value }) => value), type: "string" };
  const members = membersOf(kind);
  if (members === undefined) return SCHEMAS[kind] ?? TEXT;
  const names = members.map(([name]) => name).sort();
  const properties = Object.fromEntries(members.map(([name, inner]) => [name, schemaOf(inner)]));
  return { additionalProperties: false, properties, required: names, type: "object" };
}

/** `{name: person, iban: iban}` */
export function membersOf(kind: string): readonly (readonly [name: string, kind: string])[] | undefined {
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

function optionsOf(kind: string): readonly Option[] | undefined {
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
const words =
  (...options: readonly string[]): Maker =>
  (random) =>
    plain(random.pick(options));
const listed =
  (of: (world: World) => readonly string[]): Maker =>
  (random, world) =>
    plain(random.pick(of(world)));

function counted(value: number, random: Random): Value {
  const word = NUMBERS[value];
  return { value, said: word !== undefined && random.chance(0.3) ? word : `${value}`, isText: false };
}

function slug(random: Random, world: World): string {
  const joint = random.pick(["-", "-", "_", ""]);
  const parts = random.chance(0.5)
    ? [random.pick(world.adjectives), noun(random, world)]
    : [noun(random, world), random.chance(0.5) ? noun(random, world) : `${random.between(1, 40)}`];
  return random.chance(0.3) ? noun(random, world) : parts.join(joint);
}

function folder(random: Random, world: World): string {
  const depth = random.between(1, 3);
  const roots = ["", "", "/srv/", "/var/", "/home/", "/data/", "/mnt/", "~/"];
  return random.pick(roots) + Array.from({ length: depth }, () => slug(random, world)).join("/");
}

function path(random: Random, world: World): string {
  const ending = random.pick(["txt", "txt", "md", "md", "log", "csv", "json", "yaml", "conf", "pdf", "html", "sh"]);
  const name = `${slug(random, world)}.${ending}`;
  return random.chance(0.5) ? name : `${folder(random, world)}/${name}`;
}

const digits = (random: Random, length: number): string => Array.from({ length }, () => random.between(0, 9)).join("");
const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.between(0, 15).toString(16)).join("");
function address(random: Random): string {
  const parts = [random.pick([10, 172, 192, 203, 198]), ...Array.from({ length: 3 }, () => random.between(1, 254))];
  return parts.join(".");
}

function domain(random: Random, world: World): string {
  const host = random.pick(["www", "api", "mail", "shop", "blog", "git", noun(random, world)]);
  const top = random.pick(["com", "org", "net", "io", "example", "de", "eu"]);
  return random.chance(0.4) ? `${slug(random, world)}.${top}` : `${host}.${slug(random, world)}.${top}`;
}

function user(random: Random, { people, surnames }: World): string {
  const [first, last] = [random.pick(people), random.pick(surnames)];
  return random.pick([first, `${first}.${last}`, `${first.slice(0, 1)}${last}`, `${first}${random.between(1, 99)}`]);
}

function person(random: Random, { people, surnames }: World): string {
  return `${upper(random.pick(people))} ${upper(random.pick(surnames))}`;
}

function id(random: Random): string {
  return random.pick([
    () => hex(random, 6),
    () => `${random.pick(["p", "t", "b", "m", "x", "a"])}-${random.between(1, 999)}`,
    () => `${random.pick(["AB", "QX", "ZT", "INC", "REF"])}${digits(random, 4)}`,
    () => digits(random, 5),
  ])();
}

function date(random: Random): string {
  const [month, day] = [random.between(1, 12), random.between(1, 28)];
  return `${random.between(2025, 2031)}-${`${month}`.padStart(2, "0")}-${`${day}`.padStart(2, "0")}`;
}

function key(random: Random, world: World): string {
  const parts = [noun(random, world), random.pick(["token", "key", "mode", "limit", "beta", noun(random, world)])];
  return parts.join(random.pick([".", "-", "_", ":"]));
}

function expression(random: Random): string {
  const [a, b, c] = [random.between(1, 999), random.between(1, 99), random.between(2, 12)];
  return random.pick([`${a} + ${b}`, `${a} * ${b}`, `(${a} - ${b}) / ${c}`, `${a} / ${c}`, `${a}*${b}+${c}`]);
}

function sql(random: Random, world: World): string {
  const table = noun(random, world);
  return random.pick([
    `select * from ${table}`,
    `select count(*) from ${table}`,
    `select name from ${table} where id = ${random.between(1, 500)}`,
    `select max(${noun(random, world)}) from ${table}`,
  ]);
}

const MAKERS: Readonly<Record<string, Maker>> = {
  count: (random) => counted(random.chance(0.6) ? random.between(1, 30) : random.between(31, 500), random),
  line: (random) => number(random.between(1, 400)),
  int: (random) =>
    number(random.pick([random.between(1, 100), random.between(1, 60) * 60, random.between(1, 64) * 256])),
  pid: (random) => number(random.between(1, random.pick([99, 999, 9999, 65_000]))),
  port: (random) => number(random.pick([22, 80, 443, 8080, 3000, 5432, random.between(1024, 65_535)])),
  cents: (random) => number(random.between(1, 90) * random.pick([50, 100, 125])),
  sides: (random) => number(random.pick([4, 6, 8, 10, 12, 20, 100])),
  nice: (random) => number(random.between(-20, 19)),
  decimal: (random) => number(random.chance(0.5) ? random.between(1, 200) : random.between(1, 999) / 10),
  path: (random, world) => plain(path(random, world)),
  dir: (random, world) => plain(folder(random, world)),
  pattern: (random, world) =>
    plain(
      random.pick([
        "error",
        "timeout",
        "out of memory",
        "refused",
        "oom",
        "denied",
        slug(random, world),
        slug(random, world),
      ]),
    ),
  sentence: listed(({ sentences }) => sentences),
  title: listed(({ titles }) => titles),
  topic: listed(({ topics }) => topics),
  word: (random, world) => plain(slug(random, world)),
  words: severally((random, world) => plain(slug(random, world)), 1, 3),
  daemon: (random, world) =>
    plain(
      random.pick([
        "nginx",
        "sshd",
        "postgres",
        "redis",
        "cron",
        "dovecot",
        "caddy",
        slug(random, world),
        slug(random, world),
      ]),
    ),
  program: listed(({ programs }) => programs),
  command: (random, world) =>
    plain(random.pick([`ls ${folder(random, world)}`, `cat ${path(random, world)}`, "env", "df -h", "whoami"])),
  url: (random, world) =>
    plain(`https://${domain(random, world)}${random.chance(0.5) ? "" : `/${slug(random, world)}`}`),
  domain: (random, world) => plain(domain(random, world)),
  host: (random, world) =>
    plain(
      random.pick([
        `${noun(random, world)}-${random.between(1, 20)}`,
        `web${random.between(1, 9)}`,
        `node-${noun(random, world)}`,
        domain(random, world),
      ]),
    ),
  ip: (random) => plain(address(random)),
  cidr: (random) => plain(`${address(random)}/${random.pick([8, 16, 24, 24, 28, 32])}`),
  iface: words("eth0", "eth1", "wlan0", "enp3s0", "enp0s31f6", "br0", "lo", "tap2"),
  user: (random, world) => plain(user(random, world)),
  person: (random, world) => plain(person(random, world)),
  group: (random, world) => plain(random.pick(["staff", "admins", "developers", "sales", "ops", noun(random, world)])),
  email: (random, world) => plain(`${user(random, world)}@${domain(random, world)}`),
  phone: (random) => plain(`+${random.between(1, 99)} ${digits(random, 3)} ${digits(random, random.between(4, 7))}`),
  iban: (random) => plain(`${random.pick(["DE", "FR", "ES", "AT", "NL"])}${digits(random, random.between(14, 18))}`),
  package: (random, world) =>
    plain(
      random.pick([
        "htop",
        "vim",
        "git",
        "curl",
        "nginx",
        "ripgrep",
        `lib${noun(random, world)}`,
        slug(random, world),
        `${noun(random, world)}-tools`,
      ]),
    ),
  version: (random) =>
    plain(
      `${random.pick(["", "", "v"])}${random.between(0, 12)}.${random.between(0, 20)}${random.chance(0.6) ? `.${random.between(0, 30)}` : ""}`,
    ),
  image: (random, world) =>
    plain(
      `${noun(random, world)}:${random.pick(["latest", "stable", `${random.between(1, 20)}`, `${random.between(1, 9)}.${random.between(0, 9)}`])}`,
    ),
  instance: (random, world) => plain(slug(random, world)),
  database: (random, world) => plain(slug(random, world)),
  device: (random) =>
    plain(`/dev/${random.pick(["sda1", "sdb1", "sdb2", "sdc", "nvme0n1p2", "vdb", "mmcblk0p1", "sr0"])}`),
  zone: words(
    "Europe/Berlin",
    "Europe/Paris",
    "America/New_York",
    "Asia/Tokyo",
    "UTC",
    "Australia/Sydney",
    "America/Lima",
    "Asia/Kolkata",
  ),
  id: (random) => plain(id(random)),
  date: (random) => plain(date(random)),
  time: (random) => plain(`${random.between(0, 23)}:${random.pick(["00", "15", "30", "45", "05"])}`),
  cron: (random) =>
    plain(`${random.between(0, 59)} ${random.between(0, 23)} * * ${random.pick(["*", "1", "5", "1-5"])}`),
  branch: (random, world) =>
    plain(
      random.pick([
        "main",
        "develop",
        `fix/${slug(random, world)}`,
        `release-${random.between(1, 9)}`,
        slug(random, world),
      ]),
    ),
  metric: (random, world) =>
    plain(
      `${noun(random, world)}${random.pick([".", "_"])}${random.pick(["rate", "errors", "latency", "total", "bytes"])}`,
    ),
  key: (random, world) => plain(key(random, world)),
  module: (random, world) =>
    plain(random.pick(["nf_nat", "kvm", "e1000e", "btusb", "loop", `snd_${noun(random, world)}`])),
  setting: (random, world) =>
    plain(`${random.pick(["net", "vm", "kernel", "fs"])}.${noun(random, world)}.${noun(random, world)}_max`),
  printer: (random, world) =>
    plain(
      random.pick([
        `${noun(random, world)}-${random.between(1, 9)}`,
        `laser_${noun(random, world)}`,
        `office${random.between(1, 30)}`,
      ]),
    ),
  city: listed(({ cities }) => cities),
  expression: (random) => plain(expression(random)),
  sql: (random, world) => plain(sql(random, world)),
  ...EVERYDAY,
  ...TOLD,
};

/** A value of a kind that is no truth and no record. */
export function someValue(kind: string, random: Random, world: World): Value {
  const options = optionsOf(kind);
  if (options !== undefined) {
    const { value, words: names } = random.pick(options);
    return { value, said: random.pick(names), isText: false };
  }
  const make = MAKERS[kind];
  if (make === undefined) throw new Error(`no values of the kind ${kind}`);
  return make(random, world);
}
