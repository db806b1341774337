// The states that an image contains for its model. All states are checked before the worker serves anybody: a state of
// other weights or tokens, or with an invalid form, ends the start.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { States } from "../../../lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../lib/wire/index.ts";
import type { Token } from "./addon.ts";
import { computeStateKey, readStateTokens } from "./state.ts";

export const STATES_SCHEMA_VERSION = 1;
/** Maximum number of states of one model, one for each distinct set of tools of sessions, tasks and phases. */
export const MOST_STATES = 64;

/** Returns the path of the state of exactly these tokens, or `undefined` if there is none. */
export type StateOf = (tokens: readonly Token[]) => string | undefined;

interface Judged {
  /** The artefact that lists the states. */
  readonly list: Uint8Array;
  /** Folder of the states' files. */
  readonly folder: string;
  /** Id of the weights that the engine runs. */
  readonly model: string;
  readonly contextTokens: number;
}

export function openStates({ list, folder, model, contextTokens }: Judged): Result<StateOf> {
  const read = decodeMessage(States, list);
  if (!read.ok) return refuse(`their list: ${read.reason}`);
  const { schemaVersion, states } = read.value;
  if (schemaVersion !== STATES_SCHEMA_VERSION) return refuse(`their list has schema version ${schemaVersion}`);
  if (read.value.model !== model) return refuse(`they are of ${read.value.model}, and the weights are ${model}`);
  if (states.length > MOST_STATES) return refuse(`${states.length} of them, the limit is ${MOST_STATES}`);
  const paths = new Map<string, string>();
  for (const { key, tokens, bytes } of states) {
    const name = Buffer.from(key).toString("hex");
    const path = join(folder, name);
    const found = readTokens(path, Number(bytes), contextTokens);
    if (!found.ok) return refuse(`${name}: ${found.reason}`);
    if (found.value.length !== tokens || computeStateKey(model, found.value) !== name)
      return refuse(`${name}: it is of other tokens`);
    paths.set(name, path);
  }
  return accept((wanted) => paths.get(computeStateKey(model, wanted)));
}

/** Returns the tokens of a state. Fails if the file does not have `bytes` bytes, or its content is invalid. */
export function readTokens(path: string, bytes: number, mostTokens: number): Result<readonly Token[]> {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    if (size !== bytes) return refuse(`it has ${size} bytes, and ${bytes} are said`);
    return readStateTokens((offset, length) => readWhole(descriptor, offset, length), size, mostTokens);
  } finally {
    closeSync(descriptor);
  }
}

function readWhole(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  for (let read = 1; read > 0 && done < length; done += read)
    read = readSync(descriptor, bytes, done, length - done, offset + done);
  return bytes;
}
