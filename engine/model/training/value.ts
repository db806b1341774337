import type { Json } from "../../policy/index.ts";
import type { Random } from "./random.ts";
import type { World } from "./vocabulary.ts";

/** A value, and what stands for it in a request. */
export interface Value {
  readonly value: Json;
  readonly said: string;
  /** It may stand in quotes. */
  readonly isText: boolean;
}

/** Makes some value of a kind. */
export type Maker = (random: Random, world: World) => Value;
