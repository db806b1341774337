// The static program of examples/own-tool, as the image runs it: init's lines on its channel, connections beside them. Node's
// own channel to a child is the same protocol.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Connection, connect } from "../engine/lib/wire/index.ts";

const EXAMPLE = new URL("own-tool/", import.meta.url);
const DICE = fileURLToPath(new URL("services/dice", EXAMPLE));
const FACE = 0xfeed_0001n;

let folder: string;
let server: Server;
let program: ChildProcess;
const taken: ((stream: Socket) => void)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-dice-"));
  server = createServer({ pauseOnConnect: true }, (stream) => taken.shift()?.(stream));
  await new Promise<void>((resolve) => server.listen(join(folder, "s"), resolve));
  // Its channel is the descriptor 4, as init has it.
  program = spawn(DICE, [], { stdio: ["ignore", "ignore", "ignore", "ignore", "ipc"], env: {} });
  await heard("ready");
});

afterEach(() => {
  program.kill("SIGKILL");
  server.close();
  rmSync(folder, { recursive: true });
});

const heard = (word: string) =>
  new Promise<void>((resolve) => {
    const listen = (message: unknown) => {
      if (JSON.stringify(message) !== JSON.stringify({ capos: word })) return;
      program.off("message", listen);
      resolve();
    };
    program.on("message", listen);
  });

/** A connection to the program: whoever holds it, and the same as bytes. */
async function granted(): Promise<Socket> {
  const passed = new Promise<Socket>((resolve) => taken.push(resolve));
  const mine = dial(join(folder, "s"));
  const grant = { capos: "grant", badge: "7", interfaceId: FACE.toString(16), holder: "gate.operator", name: "dice" };
  program.send(grant, await passed);
  return mine;
}

const holder = async () => connect(await granted());
const roll = (dice: Connection, args: unknown, method = 0) => dice.callTool(FACE, method, JSON.stringify(args));
const ended = (stream: Socket) => new Promise<void>((resolve) => stream.on("close", () => resolve()).resume());

/** A line is one of the file's: not blank, and not a comment alone. Cap'n Proto's comments begin with `#`, the others' with `//`. */
const linesOf = (file: string): readonly string[] =>
  readFileSync(new URL(file, EXAMPLE), "utf8")
    .split("\n")
    .filter((line) => !/^\s*(?:$|#|\/\/)/.test(line));

test("declares both tools in thirty lines: interface, module and page", () => {
  const lines = ["desk.capnp", "services/words.js", "system.cap"].flatMap(linesOf);
  expect(lines.filter((line) => /interface|exec|count: /.test(line))).toHaveLength(5);
  expect(lines.length).toBeLessThanOrEqual(30);
  // Lines are not packed to fit in ways that nobody would write.
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test("a die shows each of its sides, and no others", async () => {
  const dice = await holder();
  const shown = new Set<unknown>();
  for (let rolls = 0; rolls < 200; rolls += 1) {
    const reply = await roll(dice, { sides: 3 });
    shown.add(reply.ok ? reply.value : reply.reason);
  }
  expect([...shown].sort()).toEqual(['{"value":1}', '{"value":2}', '{"value":3}']);
});

test.each([{}, { sides: 1 }, { sides: 101 }, { sides: 4_294_967_298 }, { sides: -6 }])(
  "refuses %j as a die",
  async (args) => {
    const reply = await roll(await holder(), args);
    expect(reply).toEqual({ ok: false, code: "failed", reason: "a die has 2 to 100 sides" });
  },
);

test("serves several holders at once, and one that disconnects does not affect the others", async () => {
  const dice = await Promise.all(Array.from({ length: 5 }, holder));
  const replies = await Promise.all(dice.map((one) => roll(one, { sides: 100 })));
  expect(replies.every(({ ok }) => ok)).toBe(true);
  dice[0]?.close();
  dice[3]?.close();
  for (const one of [1, 2, 4]) {
    const still = dice[one];
    expect(still && (await roll(still, { sides: 6 })).ok).toBe(true);
  }
});

test("answers init's ping, and exits at init's stop", async () => {
  const pong = heard("pong");
  program.send({ capos: "ping" });
  await pong;
  const gone = new Promise((resolve) => program.once("exit", resolve));
  program.send({ capos: "stop" });
  expect(await gone).toBe(0);
});

test("a call of another interface closes that connection only", async () => {
  const [dice, wrong] = [await holder(), await holder()];
  expect(await wrong.callTool(FACE + 1n, 0, "{}")).toMatchObject({ ok: false, code: "closed" });
  expect((await roll(dice, { sides: 6 })).ok).toBe(true);
});

test("property: any bytes of one holder do not affect the others", async () => {
  const dice = await holder();
  // Headers of every length, and words that could be pointers anywhere.
  const words = fc.array(fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 64n)), { minLength: 1, maxLength: 12 });
  const frames = words.map((given) => {
    const bytes = Buffer.alloc(8 + given.length * 8);
    bytes.writeUInt32LE(given.length, 4);
    for (const [index, word] of given.entries()) bytes.writeBigUInt64LE(word, 8 + index * 8);
    return bytes;
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(frames, fc.uint8Array({ minLength: 1, maxLength: 64 })), async (bytes) => {
      const hostile = await granted();
      hostile.end(bytes);
      await ended(hostile);
      expect((await roll(dice, { sides: 6 })).ok).toBe(true);
    }),
    { numRuns: 150 },
  );
});
