import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  encodeSecret,
  openSecret,
  parseMachineKey,
  readSecret,
  sealSecret,
} from "../../../engine/processes/egress/sealing.ts";
import { readArguments } from "../arguments.ts";
import { createMemoryWorld } from "../memory-world.ts";
import { secret } from "./command.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-secret-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const VALUE = "sk-live-0123456789";
const FOR = ["--for", "https://llm.example.net/v1"];

/** Runs the command with `input` on standard input. */
async function say(input: string, ...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const reading = readArguments(secret, words);
  if (reading.kind !== "typed") throw new Error(JSON.stringify(reading));
  const readInput = async (most: number) => Buffer.from(input).subarray(0, most + 1);
  const world = createMemoryWorld({ folder, readInput });
  const status = await secret.run(reading.typed, world);
  return { status, out: world.printed(), err: world.reported() };
}

const machine = async (name = "disk"): Promise<string> => (await say("", "machine", name)).out.trim();
const keyOf = (name = "disk"): Buffer => readFileSync(join(folder, name, ".keys/secrets"));
const sealedIn = (name: string) => readSecret(readFileSync(join(folder, `secrets/${name}.sealed`)));

/** Returns the value that the machine of this folder decrypts, or `undefined` if it cannot. */
function openedBy(name = "disk"): string | undefined {
  const read = sealedIn("frontier");
  const opened = read.ok ? openSecret(read.value, keyOf(name)) : read;
  return opened.ok ? opened.value.toString() : undefined;
}

test("a value from standard input is sealed for one server to one machine, and is not printed", async () => {
  const to = await machine();
  expect(await machine()).toBe(to);
  expect([keyOf().length, statSync(join(folder, "disk/.keys/secrets")).mode & 0o777]).toEqual([32, 0o600]);
  const said = await say(`${VALUE}\n`, "seal", "frontier", ...FOR, "--to", to);
  expect(said).toEqual({ status: 0, out: `sealed: frontier, for https://llm.example.net, to ${to}\n`, err: "" });
  expect(openedBy()).toBe(VALUE);
  expect(readFileSync(join(folder, "secrets/frontier.sealed")).includes(VALUE)).toBe(false);
  expect(readdirSync(join(folder, "secrets"))).toEqual(["frontier.sealed"]);
});

test("sealing again replaces the value; the server and the machines stay unless the command names others", async () => {
  const both = [await machine("one"), await machine("two")];
  await say(VALUE, "seal", "frontier", ...FOR, "--to", both.join(","));
  const again = await say("another-value", "seal", "frontier", "--json");
  expect(JSON.parse(again.out)).toMatchObject({ name: "frontier", for: "https://llm.example.net", to: both });
  expect([openedBy("one"), openedBy("two")]).toEqual(["another-value", "another-value"]);
  await say(VALUE, "seal", "frontier", "--to", both[1] ?? "");
  expect([openedBy("one"), openedBy("two")]).toEqual([undefined, VALUE]);
});

test("a value can be read from a file, and the credential is listed and removed by name", async () => {
  const to = await machine();
  writeFileSync(join(folder, "value.txt"), `${VALUE}\r\n`);
  await say("", "seal", "frontier", ...FOR, "--to", to, "--file", "value.txt");
  expect(openedBy()).toBe(VALUE);
  expect(await say("", "list")).toMatchObject({
    status: 0,
    out: `frontier  for https://llm.example.net  to ${to}\n`,
  });
  expect(JSON.parse((await say("", "list", "--json")).out)).toMatchObject([{ name: "frontier", to: [to] }]);
  expect(await say("", "remove", "frontier")).toMatchObject({
    status: 0,
    out: expect.stringContaining("at the server"),
  });
  expect(await say("", "list")).toMatchObject({ status: 0, out: "" });
});

test("if the value, server or machine is invalid, sealing fails in one sentence without the value, and changes nothing", async () => {
  const to = await machine();
  await say(VALUE, "seal", "frontier", ...FOR, "--to", to);
  for (const [value, words, why] of [
    ["with a blank", [], "a secret is of visible ASCII characters"],
    ["short", [], "at least 8"],
    ["x".repeat(4097), [], "at most 4096"],
    [VALUE, ["--to", to.slice(0, -1)], "no whole key"],
    [VALUE, ["--for", "https://*"], "one server"],
    [VALUE, ["--for", "llm.example.net"], "one server"],
  ] as const) {
    const said = await say(value, "seal", "frontier", ...words);
    expect(said).toMatchObject({ status: 3, out: "", err: expect.stringContaining(why) });
    expect(said.err).not.toContain(value);
    expect(openedBy()).toBe(VALUE);
  }
  expect(await say(VALUE, "seal", "other", "--to", to)).toMatchObject({
    status: 3,
    err: expect.stringContaining("--for"),
  });
  expect(await say(VALUE, "seal", "other", ...FOR)).toMatchObject({ status: 3, err: expect.stringContaining("--to") });
});

test("control characters in a sealed credential's file are printed as text, so they cannot hide output on a terminal", async () => {
  const to = await machine();
  const key = parseMachineKey(to);
  if (!key.ok) throw new Error(key.reason);
  await say(VALUE, "seal", "frontier", ...FOR, "--to", to);
  const [file, hiding] = [join(folder, "secrets/frontier.sealed"), "\u001b[8m"];
  const write = (name: string, origin: string) =>
    writeFileSync(file, encodeSecret(sealSecret(name, origin, [key.value], Buffer.from(VALUE))));
  write("frontier", `https://llm.example.net${hiding}`);
  const said = [await say("", "list"), await say("another-value", "seal", "frontier")];
  write(`frontier${hiding}`, "https://llm.example.net");
  said.push(await say("", "list"), await say(VALUE, "seal", "frontier"));
  for (const { out, err } of said) {
    expect(out + err).toContain("‹U+001B›[8m");
    expect(out + err).not.toContain(hiding);
  }
});

test("usage errors and files that are not sealed credentials are refused", async () => {
  for (const words of [["list", "x"], ["seal"], ["seal", "../x"], ["show", "x"], ["machine"]]) {
    expect(await say("", ...words), words.join(" ")).toMatchObject({ status: 2 });
  }
  expect(await say("", "remove", "frontier")).toMatchObject({ status: 3 });
  await say(VALUE, "seal", "frontier", ...FOR, "--to", await machine());
  writeFileSync(join(folder, "secrets/odd.sealed"), "noise");
  writeFileSync(join(folder, "secrets/copied.sealed"), readFileSync(join(folder, "secrets/frontier.sealed")));
  const listed = await say("", "list");
  expect(listed).toMatchObject({ status: 1, out: expect.stringContaining("frontier  for") });
  expect(listed.err).toContain("odd.sealed");
  expect(listed.err).toContain("copied.sealed holds the secret frontier");
  expect(await say(VALUE, "seal", "odd")).toMatchObject({ status: 3, err: expect.stringContaining("remove it first") });
  writeFileSync(join(folder, "disk/.keys/secrets"), "cut short");
  expect(await say("", "machine", "disk")).toMatchObject({ status: 3 });
});
