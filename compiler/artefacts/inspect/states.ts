// Describes the prefilled states of an image's models: the sessions for which they were computed, and their numbers of tokens.

import { type Manifest, States } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { type Description, encodeHex } from "./description.ts";

/** Maximum size of a list of states in bytes. Lists are small, with a few words for each session, task and phase. */
const MOST_LIST_BYTES = 1024 * 1024;

/**
 * Returns one description for each model with prefilled states; an image without such models has none. `read` returns a
 * file of the image, or `undefined`.
 */
export function describeStates(
  { artefacts }: Manifest,
  read: (path: string, most: number) => Uint8Array | undefined,
): readonly Description[] {
  const lists = artefacts.filter(({ name, verity }) => name.startsWith("states.") && verity.rootHash.length === 0);
  return lists.map(({ name, path }) => {
    const bytes = read(path, MOST_LIST_BYTES);
    const list = bytes === undefined ? undefined : decodeMessage(States, bytes);
    const model = name.slice("states.".length);
    if (list?.ok !== true) return { kind: "states", facts: {}, lines: [], faults: [`${path} is no list of states`] };
    const states = list.value.states.map(({ key, tokens, bytes: size, rows }) => ({
      model,
      key: encodeHex(key),
      tokens,
      bytes: Number(size),
      rows,
    }));
    const lines = states.map(
      ({ tokens, bytes: size, rows }) =>
        `prefilled state of ${model}: ${tokens} tokens, ${size} bytes, for ${rows.join(", ")}`,
    );
    return { kind: "states", facts: { [`states.${model}`]: states }, lines: ["", ...lines], faults: [] };
  });
}
