import { expect, test } from "vitest";
import type { GgufHeader } from "../../../engine/lib/weights/gguf.ts";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Backend, Weights } from "../bind/index.ts";
import type { WeightsHead } from "./backends.ts";
import { getContextLimit, planBackend, planEmbedder } from "./backends.ts";
import { getProviderPlace } from "./remote.ts";

const MODELS = `model mini { served "gpt-4o-mini"  tools true }
  model wide { served "llama3"  context 32k tokens }
  model small { weights "models/small.gguf"  tools true }
  model said { weights "models/said.gguf"  context 2k tokens }`;

const HEADER: GgufHeader = {
  ...{
    arch: "llama",
    name: "",
    quantisation: "q4_0",
    mostNumbers: "q4_0",
    contextTokens: 8192,
    tensors: 1,
    vocabulary: 1,
  },
  ...{ knowsChatMl: true, reluctance: 0, copying: 0 },
};
const MIB = 1024 * 1024;

/**
 * Binds a page with this backend. Returns the backend, and a map in which its model and its embedder have a weights
 * file with the header `header`.
 */
async function bound(backend: string, header = HEADER) {
  const found = (await bindModel(renderFactsPage({ top: MODELS, backends: `backend canned { ${backend} }` })))
    .backends[0];
  if (found === undefined) throw new Error("the page has a backend");
  const heads = new Map<Weights, WeightsHead>();
  const head = { file: "/real/small.gguf", bytes: 100 * MIB, header };
  for (const model of [found.model, found.embedder]) if (model !== undefined) heads.set(model, head);
  return { backend: found, heads };
}

async function planOf(words: string, header = HEADER) {
  const { backend, heads } = await bound(words, header);
  return planBackend(backend, heads);
}

test("the plan of a backend with canned replies has only a name and a kind", async () => {
  expect(await planOf("stub")).toStrictEqual([{ name: "canned", kind: "stub" }]);
});

test("a remote model is requested at one address by POST, with the page's credential and default values", async () => {
  expect(await planOf('remote openai "https://llm.example.net"  model mini  token vault.frontier')).toEqual([
    {
      ...{
        name: "canned",
        kind: "remote",
        dialect: "openai",
        model: "gpt-4o-mini",
        contextTokens: 8192,
        callsTools: true,
      },
      scope: {
        places: [{ scheme: "https", host: "llm.example.net", port: 443, path: "/v1/chat/completions" }],
        ...{ methods: ["POST"], requestBytes: 900_000, responseBytes: 8 * MIB, milliseconds: 300_000, pins: [] },
        ...{ secret: "frontier", secretInTheClear: false },
      },
    },
  ]);
  const [plan] = await planOf('remote ollama "http://10.0.2.2:11434"  model wide');
  expect(plan).toMatchObject({
    ...{ dialect: "ollama", model: "llama3", contextTokens: 32_000, callsTools: false },
    scope: { places: [{ scheme: "http", host: "10.0.2.2", port: 11_434, path: "/api/chat" }], secret: "" },
  });
});

test.each([
  ["openai", "https://a.example", "/v1/chat/completions"],
  ["openai", "https://a.example/", "/v1/chat/completions"],
  ["openai", "https://a.example/api/v2", "/api/v2/chat/completions"],
  ["openai", "https://a.example/api/", "/api/chat/completions"],
  ["ollama", "https://a.example/under/x/", "/under/x/api/chat"],
] as const)("%s at %s has the endpoint %s", (dialect, address, path) => {
  expect(getProviderPlace(dialect, address)).toEqual({ scheme: "https", host: "a.example", port: 443, path });
});

test.each(["a.example", "https://*", "GET", "https://A.example"])("the address %s has no endpoint", (address) => {
  expect(getProviderPlace("openai", address)).toBeUndefined();
});

test("a backend that a build refuses has no plan, and neither have local weights without a known header", async () => {
  const { backend } = await bound('remote openai "https://llm.example.net"  model mini');
  const none = new Map<Weights, WeightsHead>();
  const { model, provider } = backend;
  if (model === undefined || provider === undefined) throw new Error("the backend has both");
  const others: readonly Partial<Backend>[] = [
    { provider: undefined },
    { provider: { ...provider, name: "smoke" } },
    { provider: { ...provider, address: "nowhere" } },
    { model: { ...model, served: undefined } },
    { model: undefined },
    { kind: "gpu" },
    { kind: "browser" },
    { kind: "cpu" },
    { kind: "cpu", model: undefined },
  ];
  expect(others.map((change) => planBackend({ ...backend, ...change }, none))).toEqual(others.map(() => []));
  // The weights and their header exist, but the kind `gpu` is not supported.
  const { backend: local, heads } = await bound("cpu  model small");
  expect(planBackend({ ...local, kind: "gpu" }, heads)).toEqual([]);
  expect(planBackend(local, none)).toEqual([]);
});

const MODEL = {
  ...{ name: "small", path: "models/small.gguf", file: "/real/small.gguf", bytes: 100 * MIB, header: HEADER },
  ...{ contextTokens: 4096, callsTools: true },
};

test("local weights have the threads, memory and context that the page states, or default values", async () => {
  const files = await planOf("cpu  model small");
  expect(files).toEqual([
    { name: "canned", kind: "cpu", model: { ...MODEL, path: "" }, threads: 1, memoryBytes: 484 * MIB },
  ]);
  expect(await planOf("cpu  model said  threads 3  memory 512 MiB")).toMatchObject([
    { threads: 3, memoryBytes: 512 * MIB, model: { name: "said", contextTokens: 2000, callsTools: false } },
  ]);
  expect(await planOf("cpu  model small", { ...HEADER, contextTokens: 1024 })).toMatchObject([
    { model: { contextTokens: 1024 } },
  ]);
});

test("an embedder has a context of 512 tokens by default, and no settings of its backend", async () => {
  const { backend, heads } = await bound("stub  embedder small");
  const { embedder } = backend;
  if (embedder === undefined) throw new Error("the backend has an embedder");
  const model = { ...MODEL, path: "", contextTokens: 512 };
  expect(planEmbedder(embedder, heads)).toEqual([{ model, threads: 1, memoryBytes: 484 * MIB }]);
  expect(planEmbedder({ ...embedder, file: { path: "models/small.gguf", real: "/x" } }, heads)).toEqual([]);
  expect(planEmbedder(embedder, new Map())).toEqual([]);
});

test("the context limit is known for local models, and unknown for models of a provider", async () => {
  const most = async (words: string) => getContextLimit((await bound(words)).backend);
  expect(await most("stub")).toBe(0);
  expect(await most("stub  model said")).toBe(2000);
  expect(await most('remote ollama "http://10.0.2.2"  model wide')).toBe(0);
  expect(await most("cpu  model small")).toBe(4096);
  expect(await most("cpu  model said")).toBe(2000);
  expect(await most("gpu  model said")).toBe(2000);
  expect(await most('browser openai "https://a.example"  model wide')).toBe(32_000);
});
