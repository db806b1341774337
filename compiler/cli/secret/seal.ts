// Seals the value of one credential for the server that accepts it and for the machines that use it. The value comes
// from a file or standard input, never from the command line.

import { resolve } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { Secret } from "../../../engine/lib/wire/generated/egress.ts";
import {
  checkSecretValue,
  formatOrigin,
  LEAST_SECRET_BYTES,
  MOST_COPIES,
  MOST_SECRET_BYTES,
  parseMachineKey,
  sealSecret,
} from "../../../engine/processes/egress/sealing.ts";
import { readBytes } from "../../host/files.ts";
import type { World } from "../../host/world.ts";
import { readScope } from "../../phases/policy/index.ts";
import type { ParsedArguments } from "../command.ts";
import { readFromTerminal } from "../keys/passphrase.ts";

/**
 * Seals the value of a secret. `before` is the secret before this change; its server and its machines stay unless the
 * options replace them. Fails if the server, the machines or the value are missing or invalid.
 */
export async function sealValue(
  name: string,
  before: Secret | undefined,
  typed: ParsedArguments,
  world: World,
): Promise<Result<Secret>> {
  const origin = resolveOrigin(typed.values.get("for"), before);
  if (!origin.ok) return origin;
  const machines = resolveMachines(typed.values.get("to"), before);
  if (!machines.ok) return machines;
  const value = await readValue(name, typed.values.get("file"), world);
  if (!value.ok) return value;
  const unfit = checkSecretValue(value.value);
  const result: Result<Secret> =
    unfit === undefined
      ? { ok: true, value: sealSecret(name, origin.value, machines.value, value.value) }
      : { ok: false, reason: unfit };
  value.value.fill(0);
  return result;
}

function resolveOrigin(address: string | undefined, before: Secret | undefined): Result<string> {
  if (address === undefined) {
    if (before !== undefined) return { ok: true, value: before.origin };
    return { ok: false, reason: "for which server? --for ADDRESS is missing" };
  }
  const [place] = readScope([address]).scope.places;
  if (place === undefined || place.host === "*") {
    return { ok: false, reason: `--for is one server as the page writes it, such as https://llm.example.net` };
  }
  return { ok: true, value: formatOrigin(place) };
}

function resolveMachines(words: string | undefined, before: Secret | undefined): Result<readonly Uint8Array[]> {
  if (words === undefined) {
    if (before !== undefined) return { ok: true, value: before.copies.map(({ recipient }) => recipient) };
    return {
      ok: false,
      reason: "to which machine? --to KEY is missing; the machine says its key when it asks for the secret",
    };
  }
  const keys = [...new Set(words.split(","))].map(parseMachineKey);
  const bad = keys.find((key) => !key.ok);
  if (bad?.ok === false) return bad;
  if (keys.length > MOST_COPIES) return { ok: false, reason: `one file is sealed to at most ${MOST_COPIES} machines` };
  return { ok: true, value: keys.flatMap((key) => (key.ok ? [key.value] : [])) };
}

/**
 * Reads the value without a line end after it, because editors and `echo` add this line end. Fails if the file or the
 * terminal cannot be read.
 */
async function readValue(name: string, file: string | undefined, world: World): Promise<Result<Buffer>> {
  if (file !== undefined) {
    const read = readBytes(resolve(world.folder, file), MOST_SECRET_BYTES + 2);
    return read.ok ? stripLineEnd(read.value.bytes) : read;
  }
  if (!world.inputIsTerminal) return stripLineEnd(await world.readInput(MOST_SECRET_BYTES + 2));
  const typed = readFromTerminal(`value of ${name} (at least ${LEAST_SECRET_BYTES} characters, not shown): `);
  return typed.ok ? stripLineEnd(Buffer.from(typed.value)) : typed;
}

function stripLineEnd(bytes: Uint8Array): Result<Buffer> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = text.at(-1) === 10 ? text.length - (text.at(-2) === 13 ? 2 : 1) : text.length;
  return { ok: true, value: text.subarray(0, size) };
}
