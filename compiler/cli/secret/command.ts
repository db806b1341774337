// Implements capc secret, which manages credentials. A page names a credential as `vault.NAME`; the credential is
// sealed (encrypted) to the machines that use it.

import { resolve } from "node:path";
import type { Secret } from "../../../engine/lib/wire/generated/egress.ts";
import { formatMachineKey } from "../../../engine/processes/egress/sealing.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { getSealedPath, listSealed, readSealed, removeSealed, writeSealed } from "./files.ts";
import { ensureMachineKey } from "./machine.ts";
import { sealValue } from "./seal.ts";

const refuse = createRefuser("secret");

/** Folder of sealed secrets beside the page, which `capc build` reads. */
const FOLDER = "secrets";

export const secret: Command = {
  name: "secret",
  operands: ["seal|list|remove|machine", "[NAME]"],
  does: "seal credentials for the machines that use them; list or remove sealed credentials",
  details: `seal NAME reads the value from standard input, without echo on a terminal. It writes
secrets/NAME.sealed for the server of --for and the machines of --to. You can commit the file,
because only those machines can open it. If you seal NAME again, the new value replaces the old one.
The server and the machines stay the same unless you give --for or --to.
A machine makes its key at its first start and keeps it on its data disk. It shows the public key
when it needs a credential that is not sealed to it. machine DIR makes such a key in the folder DIR,
for \`capc run --files DIR\`, and shows the public key.`,
  options: [
    { name: "for", value: "ADDRESS", does: "the only server that receives the credential, written as on the page" },
    {
      name: "to",
      value: "KEY,KEY",
      does: "public keys of the machines that can open the credential (capos-machine-…)",
    },
    { name: "file", value: "FILE", does: "read the value from this file, not from standard input" },
    { name: "dir", value: "DIR", does: `folder of sealed credentials (default: ${FOLDER})` },
    JSON_OPTION,
  ],
  run: runSecret,
};

async function runSecret(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [action = "", name] = typed.operands;
  const folder = resolve(world.folder, typed.values.get("dir") ?? FOLDER);
  if (action === "list" && name === undefined) return list(folder, typed, world);
  if (!["seal", "remove", "machine"].includes(action)) {
    return refuse(
      world,
      2,
      action === "list" ? "list takes no name" : `'${action}' is none of seal, list, remove, machine`,
    );
  }
  if (name === undefined) return refuse(world, 2, `${action} what? NAME is missing`);
  if (action === "machine") return printMachineKey(resolve(world.folder, name), typed, world);
  if (!/^[A-Za-z_]\w*(-\w+)*$/.test(name)) return refuse(world, 2, `'${name}' is no name that a page could use`);
  return action === "seal" ? seal(name, folder, typed, world) : remove(name, folder, world);
}

async function seal(name: string, folder: string, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const isThere = listSealed(folder).includes(name);
  const before = isThere ? readSealed(folder, name) : undefined;
  if (before?.ok === false) return refuse(world, 3, escapeInvisible(`${before.reason}; remove it first`));
  const made = await sealValue(name, before?.value, typed, world);
  if (!made.ok) return refuse(world, 3, made.reason);
  const why = writeSealed(folder, made.value);
  if (why !== undefined) return refuse(world, 3, why);
  return print(describeSecret(made.value, folder), typed, world);
}

function remove(name: string, folder: string, world: World): ExitStatus {
  if (!listSealed(folder).includes(name)) return refuse(world, 3, `${getSealedPath(folder, name)} is not there`);
  const why = removeSealed(folder, name);
  if (why !== undefined) return refuse(world, 3, why);
  // The credential's file is removed, but images that were built earlier contain sealed copies of the credential. The
  // server still accepts it.
  world.print(`removed: ${name}; images built with it still hold it sealed, so take it back at the server as well\n`);
  return 0;
}

function list(folder: string, typed: ParsedArguments, world: World): ExitStatus {
  const read = listSealed(folder).map((name) => readSealed(folder, name));
  const found = read.flatMap((one) => (one.ok ? [describeSecret(one.value, folder)] : []));
  const broken = read.flatMap((one) => (one.ok ? [] : [one.reason]));
  if (typed.switches.has("json")) world.print(`${JSON.stringify(found)}\n`);
  else for (const { name, for: origin, to } of found) say(`${name}  for ${origin}  to ${to.join(", ")}`, world);
  for (const reason of broken) refuse(world, 1, escapeInvisible(reason));
  return broken.length === 0 ? 0 : 1;
}

function printMachineKey(folder: string, typed: ParsedArguments, world: World): ExitStatus {
  const made = ensureMachineKey(folder);
  if (!made.ok) return refuse(world, 3, made.reason);
  const { key, isNew, path } = made.value;
  if (typed.switches.has("json")) world.print(`${JSON.stringify({ key, path, isNew })}\n`);
  else world.print(`${key}\n`);
  return 0;
}

interface Facts {
  readonly name: string;
  readonly for: string;
  readonly to: readonly string[];
  readonly file: string;
}

function describeSecret({ name, origin, copies }: Secret, folder: string): Facts {
  return {
    name,
    for: origin,
    to: copies.map(({ recipient }) => formatMachineKey(recipient)),
    file: getSealedPath(folder, name),
  };
}

function print(facts: Facts, typed: ParsedArguments, world: World): ExitStatus {
  if (typed.switches.has("json")) world.print(`${JSON.stringify(facts)}\n`);
  else say(`sealed: ${facts.name}, for ${facts.for}, to ${facts.to.join(", ")}`, world);
  return 0;
}

/**
 * Prints a line. Anyone can write a sealed file. So its text is escaped: otherwise, control characters could hide the
 * names of machines that can decrypt the file.
 */
function say(line: string, world: World): void {
  world.print(`${escapeInvisible(line)}\n`);
}
