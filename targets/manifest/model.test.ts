import { expect, test } from "vitest";
import { HttpExchange } from "../../engine/lib/wire/generated/egress.ts";
import { Trust } from "../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../engine/lib/wire/index.ts";
import { createSourceText } from "../../lang/text/index.ts";
import type { LocalPlan, Origins, RemotePlan } from "../contract/policy.ts";
import { deriveModelId, draftModel, listWeightsBlobs, listWeightsFiles, type PreparedWeights } from "./model.ts";
import { encodeTrust } from "./signing.ts";

const HEADER = {
  arch: "llama",
  name: "tiny",
  quantisation: "f32",
  mostNumbers: "f32",
  contextTokens: 512,
  tensors: 1,
  vocabulary: 2,
  knowsChatMl: true,
  reluctance: 0,
  copying: 0,
};
const LOCAL: LocalPlan = {
  name: "local",
  kind: "cpu",
  model: {
    name: "smol",
    path: "smol.gguf",
    file: "/x",
    bytes: 5000,
    header: HEADER,
    contextTokens: 256,
    callsTools: true,
  },
  threads: 2,
  memoryBytes: 1 << 28,
};
const WEIGHTS: PreparedWeights = {
  id: "llama:sha256-07",
  size: 12_288,
  sha256: new Uint8Array(32).fill(7),
  verity: { contentBytes: 5000n, salt: new Uint8Array(32), rootHash: new Uint8Array(32).fill(9) },
  card: Buffer.from("card"),
  signature: Buffer.from("signature"),
};
const REMOTE: RemotePlan = {
  name: "far",
  kind: "remote",
  dialect: "openai",
  model: "gpt-4o-mini",
  contextTokens: 8192,
  callsTools: true,
  scope: {
    places: [{ scheme: "https", host: "llm.example.net", port: 443, path: "/v1/chat/completions" }],
    methods: ["POST"],
    requestBytes: 1,
    responseBytes: 2,
    milliseconds: 3,
    pins: [],
    secret: "",
    secretInTheClear: false,
  },
};
const SPAN = { source: createSourceText("system.cap", "far"), start: 0, end: 3 };
const ORIGINS: Origins = {
  rules: [],
  sessions: new Map(),
  services: new Map(),
  backends: new Map([["far", SPAN]]),
  principals: new Map(),
};
const PREPARED = new Map([["smol", WEIGHTS]]);

test("weights have a hash tree and a card, and the manifest has one digest for the whole card", () => {
  const [card, weights] = listWeightsBlobs(PREPARED);
  expect(card).toMatchObject({ name: "card.smol", path: "/capos/models/smol.card", size: 4n, card: "" });
  expect(weights).toMatchObject({
    name: "weights.smol",
    path: "/boot/models/smol.gguf",
    size: 12_288n,
    verity: WEIGHTS.verity,
    card: "card.smol",
  });
  expect(listWeightsFiles(PREPARED).map(({ path }) => path)).toEqual(["models/smol.card", "models/smol.card.sig"]);
});

test("the process of a local model gets its weights and the settings of the page, but no grants", () => {
  expect(draftModel(LOCAL, PREPARED, ORIGINS)).toEqual({
    name: "model.local",
    role: "model-local",
    arguments: ["--id", WEIGHTS.id, "--context", "256", "--threads", "2", "--tools"],
    memoryMaxBytes: BigInt(1 << 28),
    grants: [],
    files: [
      { name: "card", which: "blob", blob: "card.smol" },
      { name: "weights", which: "weights", weights: "weights.smol" },
    ],
  });
  const mute = { ...LOCAL, model: { ...LOCAL.model, callsTools: false } };
  expect(draftModel(mute, PREPARED, ORIGINS).arguments).not.toContain("--tools");
});

test("the id of a model is the digest of its weights, or a placeholder if no weights were read", () => {
  expect(deriveModelId(LOCAL, PREPARED)).toBe(WEIGHTS.id);
  expect(deriveModelId(LOCAL, undefined)).toBe("llama:not-digested");
  expect(() => deriveModelId(LOCAL, new Map())).toThrow(/nobody has prepared the weights of smol/);
});

test("the key that signs an image may sign weights only if it is also listed as a key for weights; other keys for weights may not sign images", () => {
  const [own, next, other] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
  if (own === undefined || next === undefined || other === undefined) throw new Error("three keys");
  const purposes = (weights: readonly Uint8Array[]) => {
    const key = { publicKey: own, development: false };
    const read = decodeMessage(Trust, encodeTrust({ systemId: "lab", version: "1" }, key, { images: [next], weights }));
    return read.ok ? read.value.keys.map(({ publicKey, purposes: may }) => [publicKey[0], may]) : read.reason;
  };
  expect(purposes([])).toEqual([
    [1, ["image"]],
    [2, ["image"]],
  ]);
  expect(purposes([own, other])).toEqual([
    [1, ["image", "weights"]],
    [2, ["image"]],
    [3, ["weights"]],
  ]);
});

test("a remote model has a grant of only one address, and its id names the server and the model", () => {
  expect(deriveModelId(REMOTE, undefined)).toBe("openai:llm.example.net:443:gpt-4o-mini");
  const { role, files, grants, arguments: words } = draftModel(REMOTE, undefined, ORIGINS);
  expect([role, files]).toEqual(["model-remote", []]);
  expect(grants).toEqual([
    { name: "model.far", interfaceId: HttpExchange.id, provider: "egress", origin: "system.cap:1:1" },
  ]);
  expect(words?.join(" ")).toContain(
    "--dialect openai --model gpt-4o-mini --endpoint model.far --context 8192 --tools",
  );
});

test("prefilled states have their own hash tree, and the model that runs the weights can read them", () => {
  const verity = { contentBytes: 4096n, salt: new Uint8Array(32), rootHash: new Uint8Array(32).fill(3) };
  const states = { list: Buffer.from("list"), size: 4096, sha256: new Uint8Array(32).fill(4), verity };
  const weights = new Map([["smol", { ...WEIGHTS, states }]]);
  const blobs = listWeightsBlobs(weights).map(({ name, path, card }) => [name, path, card]);
  expect(blobs).toEqual([
    ["card.smol", "/capos/models/smol.card", ""],
    ["weights.smol", "/boot/models/smol.gguf", "card.smol"],
    ["states.smol", "/capos/models/smol.states", ""],
    ["prefilled.smol", "/boot/models/smol.state", ""],
  ]);
  expect(listWeightsFiles(weights).map(({ path }) => path)).toContain("models/smol.states");
  const draft = draftModel(LOCAL, weights, ORIGINS);
  expect(draft.arguments?.at(-1)).toBe("--states");
  expect(draft.files.slice(-2)).toEqual([
    { name: "states", which: "blob", blob: "states.smol" },
    { name: "prefilled", which: "states", states: "prefilled.smol" },
  ]);
});
