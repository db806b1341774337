// Completes the settings of `storage`, `network` and `image`, and their values.

import { KNOWN_SETTINGS, type Model, SETTING_WORDS, TARGET_SETTINGS } from "../../../../phases/bind/index.ts";
import { type Candidate, createCandidate, createWord } from "./candidate.ts";
import type { Site, Word } from "./site.ts";

/**
 * Returns the settings that the block around the place does not have yet; for an `image` block with a target, only
 * settings of this target.
 */
export function listSettings({ wordsOf }: Site): readonly Candidate[] {
  const [block, , ...words] = wordsOf("settings");
  const present = readSettings(words);
  return listKnown(block?.text, present.get("target"))
    .filter((name) => !present.has(name))
    .map(createWord);
}

function listKnown(block: string | undefined, target: string | undefined): readonly string[] {
  switch (block) {
    case "storage":
    case "network":
      return KNOWN_SETTINGS[block];
    case "image":
      return target === "linux" || target === "capos" ? TARGET_SETTINGS[target] : KNOWN_SETTINGS.image;
    default:
      return [];
  }
}

/**
 * Returns the values that the setting before the place may have: its words, sessions that boot, or services whose end
 * ends the machine.
 */
export function listSettingValues({ wordsOf }: Site, model: Model): readonly Candidate[] {
  const words = wordsOf("setting");
  const name = words[0]?.text ?? "";
  if (name === "boot") {
    const bootable = model.sessions.filter(({ own, abstract }) => own && !abstract);
    return bootable.map(({ id }) => createCandidate("session", id));
  }
  if (name === "exits") return model.services.map((service) => createCandidate("service", service.name));
  const given = new Set(words.slice(1).map(({ text }) => text));
  return (isWorded(name) ? SETTING_WORDS[name] : []).filter((word) => !given.has(word)).map(createWord);
}

function isWorded(name: string): name is keyof typeof SETTING_WORDS {
  return Object.hasOwn(SETTING_WORDS, name);
}

/** Returns the settings of a block with their first values. */
function readSettings(words: readonly Word[]): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (let at = 0; at < words.length; ) {
    const [name, value] = words.slice(at, at + 2);
    if (name === undefined || value === undefined) break;
    settings.set(name.text, value.text);
    at += 1 + countValue(words, at + 1);
    while (words[at]?.kind === ",") at += 1 + countValue(words, at + 1);
  }
  return settings;
}

/** Returns the number of tokens of the value at an index: 2 for a number with its unit, 1 for any other value. */
function countValue(words: readonly Word[], at: number): number {
  return words[at]?.kind === "Number" ? 2 : 1;
}
