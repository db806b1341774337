// Checks the paths of files that a page names, and makes new files with a content that compiles.

import { UNSEEN } from "../../../lang/text/index.ts";

/** Maximum length of a path in characters. */
const LONGEST_PATH = 200;

/**
 * Matches characters that a path of a project must not contain. Tabs show paths, and two paths that differ only in
 * invisible characters would look alike.
 */
const WRONG = new RegExp(String.raw`\\|\p{Cs}|${UNSEEN}`, "u");

/** Returns whether a path is within the page's folder, is written in its shortest form, and shows all its characters. */
export function isProjectPath(path: string): boolean {
  const parts = path.split("/");
  return (
    path.length <= LONGEST_PATH &&
    !WRONG.test(path) &&
    parts.every((part) => part !== "" && part !== "." && part !== ".." && part.trim() === part)
  );
}

const KINDS = ["key", "tools", "replies", "page"] as const;
type Kind = (typeof KINDS)[number];

const ENDINGS: Readonly<Record<Kind, string>> = {
  key: ".pub",
  tools: ".tools.json",
  replies: ".json",
  page: ".cap",
};

const CONTENTS: Readonly<Record<Exclude<Kind, "key">, string>> = {
  page: "// Declarations of this page hold for each page that uses it.\n",
  replies: `${JSON.stringify([{ when: { user: "Hello" }, say: "Hello from the playground." }], undefined, 2)}\n`,
  tools: `${JSON.stringify(
    {
      tools: [
        {
          name: "look_up",
          description: "Looks up a word.",
          inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
          annotations: { readOnlyHint: true },
        },
      ],
    },
    undefined,
    2,
  )}\n`,
};

/** Returns whether `createFile` knows the form of files with this name ending. */
export function isMakeable(path: string): boolean {
  return findKind(path) !== undefined;
}

/**
 * Returns the text of a new file. The ending of its name decides whether it is a public key, canned replies, a list of tools, a page, or an
 * empty file.
 */
export async function createFile(path: string): Promise<string> {
  const kind = findKind(path);
  if (kind === undefined) return "";
  return kind === "key" ? createPublicKey() : CONTENTS[kind];
}

function findKind(path: string): Kind | undefined {
  return KINDS.find((kind) => path.endsWith(ENDINGS[kind]));
}

/** Returns a note for the person who creates this file; empty if there is nothing to mention. */
export function describeNewFile(path: string): string {
  if (findKind(path) !== "key") return "";
  return "; its private half was not kept, so nobody can sign with it: a machine needs a key made by `ssh-keygen`";
}

const ALGORITHM = "ssh-ed25519";

/** Returns the public half of a new key, in the form of `ssh-keygen`. The private half is never stored. */
async function createPublicKey(): Promise<string> {
  const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  if (!("publicKey" in pair)) throw new Error("a key without a public half");
  const key = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const name = new TextEncoder().encode(ALGORITHM);
  const blob = [...encodeLength(name.length), ...name, ...encodeLength(key.length), ...key];
  return `${ALGORITHM} ${btoa(String.fromCharCode(...blob))} playground\n`;
}

function encodeLength(length: number): readonly number[] {
  return [0, 0, 0, length];
}
