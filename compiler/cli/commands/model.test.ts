// Tests of adding, signing and verifying weights.

import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTinyModel } from "../../../engine/lib/weights/testing/tiny-model.ts";
import { createSigningKey, signArtefact } from "../../../targets/manifest/signing.ts";
import { runCommand } from "../memory-world.ts";
import { modelSchema } from "../schemas/model.ts";

const isOfSchema = new Ajv2020({ strict: false }).compile(modelSchema);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-model-"));
  writeFileSync(join(folder, "Tiny-1.gguf"), makeTinyModel());
  for (const name of ["vendor", "stranger"]) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(join(folder, `${name}.pem`), privateKey.export({ type: "pkcs8", format: "pem" }));
    writeFileSync(join(folder, `${name}.public.pem`), publicKey.export({ type: "spki", format: "pem" }));
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["model", ...words], { folder });
const FILE = "models/Tiny-1.gguf";

test("add stores weights with a card, and prints the lines that the page needs", async () => {
  const { status, out, err } = await say("add", "Tiny-1.gguf");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toContain(
    `model tiny_1 { weights "${FILE}"  arch llama  quantisation f32  context 512 tokens  tools true }`,
  );
  expect(readFileSync(join(folder, FILE)).equals(makeTinyModel())).toBe(true);
  expect(await say("add", "Tiny-1.gguf")).toMatchObject({ status: 3, err: expect.stringContaining("ever replaced") });
  const listed = JSON.parse((await say("list", "--json")).out);
  expect([isOfSchema(listed), listed.models.length, listed.models[0].signedBy]).toEqual([true, 1, null]);
  expect(listed.models[0].id).toMatch(/^llama:sha256-[0-9a-f]{64}$/);
  writeFileSync(join(folder, "plain.gguf"), makeTinyModel({ chatMl: false }));
  expect((await say("add", "plain.gguf")).out).toMatch(/ context 512 tokens \}\n\nBefore a build: /);
  // A file of weights may have any extension, such as `.weights` instead of `.gguf`.
  writeFileSync(join(folder, "tiny.weights"), makeTinyModel({ seed: 3 }));
  await say("add", "tiny.weights");
  expect((await say("list")).out).toContain("models/tiny.weights");
});

test("verifies weights against card, signature and signer, and reports each mismatch", async () => {
  await say("add", "Tiny-1.gguf");
  expect(await say("verify", FILE)).toMatchObject({ status: 1, err: expect.stringContaining("nobody has signed") });
  const signed = await say("sign", FILE, "--key", "vendor.pem", "--json");
  expect(signed).toMatchObject({ status: 0, err: "" });
  expect(isOfSchema(JSON.parse(signed.out))).toBe(true);
  expect(await say("verify", FILE, "--trust", "vendor.public.pem")).toMatchObject({ status: 0, err: "" });
  const doubted = await say("verify", FILE, "--trust", "stranger.public.pem");
  expect(doubted).toMatchObject({ status: 1, err: expect.stringContaining("not trusted here") });
  writeFileSync(join(folder, FILE), makeTinyModel({ seed: 2 }));
  expect(await say("verify", FILE)).toMatchObject({ status: 1, err: expect.stringContaining("card of other weights") });
  const card = readFileSync(join(folder, `${FILE}.card.sig`));
  card.writeUInt8(card.readUInt8(card.length - 1) ^ 1, card.length - 1);
  writeFileSync(join(folder, `${FILE}.card.sig`), card);
  expect((await say("verify", FILE)).err).toContain("its signature is none over this card");
});

test("a signature of other weights or of an image is not accepted for this card", async () => {
  await say("add", "Tiny-1.gguf");
  const card = readFileSync(join(folder, `${FILE}.card`));
  const { id } = JSON.parse((await say("list", "--json")).out).models[0];
  const key = createSigningKey(createPrivateKey(readFileSync(join(folder, "vendor.pem"))), "own");
  const verified = (purpose: "weights" | "image", systemId: string) => {
    writeFileSync(join(folder, `${FILE}.card.sig`), signArtefact({ purpose, systemId, version: "1" }, card, key));
    return say("verify", FILE);
  };
  expect(await verified("weights", id)).toMatchObject({ status: 0, err: "" });
  for (const wrong of [await verified("weights", `${id}0`), await verified("image", id)])
    expect(wrong).toMatchObject({ status: 1, err: expect.stringContaining("its signature is none over this card") });
});

test("every action refuses a file that is not weights, with the reason", async () => {
  writeFileSync(join(folder, "bad.gguf"), makeTinyModel().subarray(0, 5000));
  for (const words of [
    ["add", "bad.gguf"],
    ["verify", "bad.gguf"],
    ["eval", "bad.gguf"],
  ])
    expect(await say(...words)).toMatchObject({ err: expect.stringContaining("is no file of weights: ") });
  expect(await say("sign", "bad.gguf", "--key", "vendor.pem")).toMatchObject({ status: 3 });
  expect(await say("list", "--dir", ".")).toMatchObject({ status: 1, err: expect.stringContaining("bad.gguf") });
});

test("missing weights are an error of the environment, not a finding", async () => {
  for (const words of [
    ["verify", "none.gguf"],
    ["eval", "none.gguf"],
    ["list", "--dir", "none"],
  ])
    expect(await say(...words)).toMatchObject({ status: 3, out: "", err: expect.stringContaining("does not exist") });
  expect(await say("verify", "vendor.pem")).toMatchObject({
    status: 1,
    err: expect.stringContaining("it is not GGUF"),
  });
  expect(await say("list")).toMatchObject({ status: 0, out: "no weights in models\n", err: "" });
});

test("eval runs weights in a separate process, prints a table or JSON, and reports weights that crash it", async () => {
  const measured = await say("eval", "Tiny-1.gguf", "--every", "240", "--json");
  expect(measured).toMatchObject({ status: 0, err: "" });
  const { results } = JSON.parse(measured.out);
  expect(isOfSchema({ results })).toBe(true);
  expect(results.map(({ set, cases }: { set: string; cases: number }) => [set, cases])).toEqual(
    ["seen", "unseen", "none", "result"].map((set) => [set, 1]),
  );
  expect((await say("eval", "Tiny-1.gguf", "--every", "240")).out).toMatch(
    /^\| set \| cases \|.*\n.*\n\| seen \| 1 \| /,
  );
  const layers = { kind: "u32", value: 2 ** 32 - 1 } as const;
  writeFileSync(join(folder, "deep.gguf"), makeTinyModel({ entries: { "llama.block_count": layers } }));
  expect(await say("eval", "deep.gguf")).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringMatching(/the engine/),
  });
});

test.each([
  [["mend", "x"], "'mend' is none of"],
  [["list", "x"], "list takes no file"],
  [["add", "Tiny-1.gguf", "--key", "vendor.pem"], "add has no --key"],
  [["verify", "Tiny-1.gguf", "--key", "vendor.public.pem"], "verify has no --key"],
  [["sign", "Tiny-1.gguf", "--key", "vendor.pem", "--trust", "vendor.public.pem"], "sign has no --trust"],
  [["add"], "FILE is missing"],
  [["sign", "Tiny-1.gguf"], "--key FILE is missing"],
  [["eval", "Tiny-1.gguf", "--every", "0"], "--every is a number"],
])("%s is a usage error", async (words, reason) => {
  expect(await say(...words)).toMatchObject({ status: 2, out: "", err: expect.stringContaining(reason) });
});
