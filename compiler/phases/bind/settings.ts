import { getText, placeOf, type Span } from "../../../lang/text/index.ts";
import type { Name, SettingsNode } from "../../../lang/tree/index.ts";
import { TARGETS, type Target } from "../../../targets/contract/policy.ts";
import { duplicateEntry, wrongWord } from "./codes.ts";
import { type Context, resolve, resolveWord, takeOnce } from "./context.ts";
import type { BoundImage, BoundNetwork, BoundStorage, Session, SizeSetting } from "./model/index.ts";
import { readBytes } from "./quantities.ts";
import { bindUpstream, LOG_LEVELS, noteServices, UPSTREAM_SETTINGS } from "./upstream.ts";

/** Maximum memory of a machine, in bytes. */
const MOST_MEMORY = 1n << 44n;

/**
 * Settings of an image that are valid for every target; those of `LINUX_SETTINGS` are valid only for `target linux`.
 */
const COMMON_SETTINGS = ["target", "boot"] as const;
const LINUX_SETTINGS = ["machine", "console", "firmware", "trust", "memory"] as const;

/** Settings that each block may contain. A law refuses settings that the target does not support yet. */
export const KNOWN_SETTINGS = {
  storage: ["disk", "encrypt", "create"],
  network: ["address", "host", "router", "resolvers", "collector"],
  image: [...COMMON_SETTINGS, ...LINUX_SETTINGS, ...UPSTREAM_SETTINGS],
} as const;

/** Settings of an image by its target. */
export const TARGET_SETTINGS: { readonly [T in Target]: readonly string[] } = {
  linux: [...COMMON_SETTINGS, ...LINUX_SETTINGS],
  capos: [...COMMON_SETTINGS, ...UPSTREAM_SETTINGS],
};

/** Values of the settings that have a fixed set of words; every other setting has a name, a text or a size. */
export const SETTING_WORDS = {
  encrypt: ["passphrase"],
  create: ["blank"],
  address: ["dhcp", "static", "none"],
  target: TARGETS,
  machine: ["vm", "pc"],
  console: ["serial", "screen"],
  firmware: ["bios", "uefi"],
  trust: ["media", "sealed"],
  log: LOG_LEVELS,
  tables: ["none"],
} as const;

export function bindStorage(context: Context, nodes: readonly SettingsNode[]): BoundStorage | undefined {
  const node = takeOnce(context, "`storage`", nodes);
  if (node === undefined) return undefined;
  const disk = readSingle(context, node, "disk");
  const encrypt = readWord(context, node, "encrypt", SETTING_WORDS.encrypt);
  const create = readWord(context, node, "create", SETTING_WORDS.create);
  return disk === undefined ? undefined : { disk: disk.text, encrypt, create, node };
}

export function bindNetwork(context: Context, nodes: readonly SettingsNode[]): BoundNetwork | undefined {
  const node = takeOnce(context, "`network`", nodes);
  if (node === undefined) return undefined;
  return {
    address: readWord(context, node, "address", SETTING_WORDS.address),
    host: readSingle(context, node, "host"),
    router: readSingle(context, node, "router"),
    resolvers: (findSetting(context, node, "resolvers")?.values ?? []).map(getValueName),
    collector: findSetting(context, node, "collector")?.values.map(getValueName),
    node,
  };
}

export function bindImage(
  context: Context,
  nodes: readonly SettingsNode[],
  { sessions, services }: { readonly sessions: ReadonlyMap<string, Session>; readonly services: ReadonlySet<string> },
): BoundImage | undefined {
  const node = takeOnce(context, "`image`", nodes);
  if (node === undefined) return undefined;
  const bootName = readSingle(context, node, "boot");
  const bootable = new Map([...sessions].filter(([, session]) => session.own));
  const upstream = bindUpstream(
    (name) => readSingle(context, node, name),
    (name) => (findSetting(context, node, name)?.values ?? []).map(getValueName),
    (name) => readWord(context, node, name, SETTING_WORDS[name]),
  );
  noteServices(context, upstream, services);
  return {
    target: readSingle(context, node, "target"),
    machine: readSingle(context, node, "machine"),
    console: readOneOf(context, node, "console", SETTING_WORDS.console),
    firmware: readWords(context, node, "firmware", SETTING_WORDS.firmware),
    trust: readOneOf(context, node, "trust", SETTING_WORDS.trust),
    memory: readSize(context, node, "memory", MOST_MEMORY),
    upstream,
    bootName,
    boot: bootName && resolve(context, { names: bootable, what: "session", name: bootName }),
    node,
  };
}

/** Returns the only value of a setting if it is one of the known words, otherwise `undefined`. */
function readOneOf<W extends string>(
  context: Context,
  node: SettingsNode,
  name: string,
  known: readonly W[],
): W | undefined {
  const value = readSingle(context, node, name);
  return value && resolveWord(context, `\`${name}\``, known, value);
}

/** Reports settings that do not exist in this kind of block, once for each block. */
export function checkSettingNames(context: Context, nodes: readonly SettingsNode[]): void {
  for (const node of nodes) {
    const known: readonly string[] = KNOWN_SETTINGS[node.kind];
    for (const { name } of node.settings) {
      if (known.includes(name.text)) continue;
      context.report(wrongWord.at(name.span, { word: name.text, what: `setting of \`${node.kind}\``, known }));
    }
  }
}

/**
 * Returns the only value of a setting together with its span if it is one of the known words, otherwise `undefined`.
 */
function readWord(context: Context, node: SettingsNode, name: string, known: readonly string[]): Name | undefined {
  const value = readSingle(context, node, name);
  const word = value && resolveWord(context, `\`${name}\``, known, value);
  return word === undefined ? undefined : value;
}

/** Returns the known values of a setting, each once, or `undefined` if the setting is missing. */
function readWords<W extends string>(
  context: Context,
  node: SettingsNode,
  name: string,
  known: readonly W[],
): readonly W[] | undefined {
  const setting = findSetting(context, node, name);
  if (setting === undefined) return undefined;
  const found = new Map<W, Span>();
  for (const value of setting.values) {
    const word = resolveWord(context, `\`${name}\``, known, getValueName(value));
    const before = word === undefined ? undefined : found.get(word);
    if (before !== undefined) {
      const what = `\`${word}\` of \`${name}\``;
      context.report(duplicateEntry.at(value.span, { what, where: placeOf(before) }));
    } else if (word !== undefined) found.set(word, value.span);
  }
  return known.filter((word) => found.has(word));
}

/**
 * Returns the word of a setting's value, which is a name or a text. A number with a unit is returned as its text, which
 * no setting accepts as a word.
 */
export function getValueName(value: SettingsNode["settings"][number]["values"][number]): Name {
  switch (value.kind) {
    case "name":
      return value.value;
    case "text":
      return { text: value.value.value, span: value.span };
    case "quantity":
      return { text: getText(value.span), span: value.span };
  }
}

function findSetting(context: Context, node: SettingsNode, name: string): SettingsNode["settings"][number] | undefined {
  const settings = node.settings.filter((setting) => setting.name.text === name);
  return takeOnce(context, `\`${name}\``, settings);
}

/** Returns the only value of a setting as a size, or `undefined` if the setting is missing or is not a size. */
function readSize(context: Context, node: SettingsNode, name: string, most: bigint): SizeSetting | undefined {
  const setting = findSetting(context, node, name);
  const value = setting && takeOnce(context, `a value of \`${name}\``, setting.values);
  if (value === undefined) return undefined;
  if (value.kind !== "quantity") {
    context.report(
      wrongWord.at(value.span, { word: getValueName(value).text, what: `\`${name}\``, known: ["512 MiB"] }),
    );
    return undefined;
  }
  const bytes = readBytes(context, value.value, most);
  return bytes === undefined ? undefined : { bytes, span: value.span };
}

/**
 * Returns the only value of a setting, or `undefined` if the setting is missing or its value is neither a name nor a
 * text.
 */
function readSingle(context: Context, node: SettingsNode, name: string): Name | undefined {
  const setting = findSetting(context, node, name);
  const value = setting && takeOnce(context, `a value of \`${name}\``, setting.values);
  if (value === undefined) return undefined;
  if (value.kind !== "quantity") return getValueName(value);
  context.report(wrongWord.at(value.span, { word: value.value.unit.text, what: `\`${name}\``, known: ["a name"] }));
  return undefined;
}
