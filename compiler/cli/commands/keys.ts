// capc keys manages the keys of people, and the key that signs the images of this checkout.

import { join, resolve } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import { isName, NAME_FORM } from "../../../lang/grammar/index.ts";
import type { KeyFile } from "../../../targets/manifest/development-key.ts";
import { openDevelopmentKeyFile } from "../../host/development-key-file.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { type DevelopmentKey, findDevelopmentKey, makeDevelopmentKey } from "../keys/development.ts";
import {
  getKeyFiles,
  type ImageKey,
  LEAST_PASSPHRASE,
  listImageKeys,
  makeImageKey,
  readImageKey,
} from "../keys/image.ts";
import { PASSPHRASE_OPTION, readPassphrase } from "../keys/passphrase.ts";
import { listKeys, makeKey, type PublicKey, readPrincipalKey } from "../keys/principals.ts";

const refuse = createRefuser("keys");

/** `capc keys new|show|list [NAME]` */
export const keys = createKeysCommand(openDevelopmentKeyFile);

/** Name of the checkout's key; no principal may have this name. */
const DEVELOPMENT = "development";

/** Default folder of people's keys. */
const KEYS = "keys";

/** Creates the command `capc keys`; `checkoutKey` returns the file of this checkout's key. */
export function createKeysCommand(checkoutKey: () => KeyFile): Command {
  return {
    name: "keys",
    operands: ["new|show|list", "[NAME]"],
    does: "make, show and list keys of people, and keys that sign images",
    details: `new NAME makes a pair of Ed25519 keys with ssh-keygen, NAME and NAME.pub, for \`principal NAME { ssh
"keys/NAME.pub" }\`. On a terminal ssh-keygen asks for a passphrase; without a terminal the key has
none. An existing key is never replaced. The reserved name development means the key that signs
builds of this checkout by default.
With --image the pair signs images: NAME.image.pem, always protected by a passphrase, and
NAME.image.public.pem. \`capc build --key keys/NAME.image.pem\` signs an image with this pair. To change keys, build once
with \`--key OLD.image.pem --also-trust NEW.image.public.pem\`. Machines that start this image accept both keys. After
that, build with the new key.`,
    options: [
      { name: "dir", value: "DIR", does: "folder of the keys (default: keys)" },
      { name: "image", does: "make a key that signs images, not a person's key" },
      PASSPHRASE_OPTION,
      JSON_OPTION,
    ],
    run: async (typed, world) => runKeys(typed, checkoutKey(), world),
  };
}

function runKeys(typed: ParsedArguments, checkoutKey: KeyFile, world: World): ExitStatus {
  const [action = "", name] = typed.operands;
  const folder = resolve(world.folder, typed.values.get("dir") ?? KEYS);
  const json = typed.switches.has("json");
  if (action === "list" && name === undefined) return list(folder, checkoutKey, json ? "json" : "text", world);
  if (action !== "new" && action !== "show")
    return refuse(world, 2, action === "list" ? "list takes no name" : `'${action}' is none of new, show, list`);
  if (name === undefined) return refuse(world, 2, `${action} what? NAME is missing`);
  if (!isName(name)) return refuse(world, 2, `'${name}' is no name that a page could use: a name has ${NAME_FORM}`);
  if (name === DEVELOPMENT && typed.switches.has("image"))
    return refuse(world, 2, "the development key is no other key's name");
  if (name === DEVELOPMENT) {
    const key = action === "new" ? makeDevelopmentKey(checkoutKey) : findDevelopmentKey(checkoutKey);
    if (!key.ok) return refuse(world, 3, key.reason);
    if (key.value === undefined) return refuse(world, 3, "it is not made yet");
    return print(describeKey(key.value), json ? "json" : "text", world);
  }
  if (typed.switches.has("image")) return handleImageKey({ action, name, folder }, typed, world);
  const key =
    action === "new" ? makeKey(name, folder, world.inputIsTerminal ? "asked" : "none") : readPrincipalKey(name, folder);
  if (!key.ok) return refuse(world, 3, key.reason);
  const file = join(typed.values.get("dir") ?? KEYS, name);
  const made = action === "new" ? { private: file } : {};
  return print({ ...key.value, public: `${file}.pub`, ...made }, json ? "json" : "text", world);
}

/** Action on a key that signs images, with the key's name and folder. */
interface ImageKeyRequest {
  readonly action: "new" | "show";
  readonly name: string;
  readonly folder: string;
}

function handleImageKey({ action, name, folder }: ImageKeyRequest, typed: ParsedArguments, world: World): ExitStatus {
  const key = action === "new" ? createImageKey(name, folder, typed, world) : readImageKey(name, folder);
  if (!key.ok) return refuse(world, 3, key.reason);
  const files = getKeyFiles(name, typed.values.get("dir") ?? KEYS);
  const made = action === "new" ? { private: files.private } : {};
  return print({ ...key.value, public: files.public, ...made }, typed.switches.has("json") ? "json" : "text", world);
}

/** Makes a key that signs images. A passphrase that is typed without echo must be typed twice. */
function createImageKey(name: string, folder: string, typed: ParsedArguments, world: World): Result<ImageKey> {
  const passphrase = readPassphrase(typed, "passphrase for the new key: ", world);
  if (!passphrase.ok) return passphrase;
  if (passphrase.value.length < LEAST_PASSPHRASE)
    return { ok: false, reason: `the passphrase of an image key has at least ${LEAST_PASSPHRASE} characters` };
  const again = readPassphrase(typed, "the same again: ", world, passphrase.value);
  if (!again.ok || again.value !== passphrase.value) return { ok: false, reason: "the two passphrases differ" };
  return makeImageKey(name, folder, passphrase.value);
}

function list(folder: string, checkoutKey: KeyFile, format: "json" | "text", world: World): ExitStatus {
  const development = findDevelopmentKey(checkoutKey);
  if (!development.ok) return refuse(world, 3, development.reason);
  const images = listImageKeys(folder).map((name) => readImageKey(name, folder));
  const read = listKeys(folder).map((name) => readPrincipalKey(name, folder));
  const found: PublicKey[] = read.flatMap((key) => (key.ok ? [key.value] : []));
  const signers = images.flatMap((key) => (key.ok ? [key.value] : []));
  const broken = [...read, ...images].flatMap((key) => (key.ok ? [] : [key.reason]));
  if (format === "json")
    world.print(`${JSON.stringify({ development: development.value ?? null, principals: found, images: signers })}\n`);
  else {
    world.print(`${DEVELOPMENT}  ${development.value?.fingerprint ?? "not made yet; the first build makes it"}\n`);
    for (const { name, fingerprint } of signers) world.print(`${name}, for images  ${fingerprint}\n`);
    for (const { name, fingerprint } of found) world.print(`${name}  ${fingerprint}\n`);
  }
  for (const reason of broken) refuse(world, 1, reason);
  return broken.length === 0 ? 0 : 1;
}

function describeKey({ publicKey, fingerprint }: DevelopmentKey): Readonly<Record<string, string>> {
  return { name: DEVELOPMENT, key: publicKey, fingerprint };
}

function print(facts: Readonly<Record<string, string>>, format: "json" | "text", world: World): ExitStatus {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}\n`);
  world.print(format === "json" ? `${JSON.stringify(facts)}\n` : lines.join(""));
  return 0;
}
