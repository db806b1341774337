import type { Json } from "../../../lib/policy/index.ts";
import type { Random } from "./random.ts";
import type { World } from "./vocabulary.ts";

/** A value, and its wording in a request. */
export interface Value {
  readonly value: Json;
  readonly said: string;
  /** Whether the wording may be in quotes. */
  readonly isText: boolean;
}

/** Makes some value of a kind. */
export type Maker = (random: Random, world: World) => Value;

export const makePlain = (text: string): Value => ({ value: text, said: text, isText: true });
export const number = (value: number, said = `${value}`): Value => ({ value, said, isText: false });
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
export const drawLetters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.pick([..."ABCDEFGHKLMNPRSTUVWXYZ"])).join("");

export function joinList(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** Makes a list of random length, and its wording. */
export const repeatMaker =
  (one: Maker, least = 1, most = 4): Maker =>
  (random, world) => {
    const items = Array.from({ length: random.drawBetween(least, most) }, () => one(random, world));
    return {
      value: items.map(({ value }): Json => value),
      said: joinList(items.map(({ said }) => said)),
      isText: false,
    };
  };
