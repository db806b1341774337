// `node main.ts FOLDER OUT NAME` writes the published model in FOLDER as one file that the engine reads.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, type Json, readJson } from "../../../lib/policy/index.ts";
import { convertToGguf, type Shape } from "./convert.ts";

const [folder = "", out = "", name = ""] = process.argv.slice(2);
if (name === "") fail("node main.ts FOLDER OUT NAME");
const readText = (file: string) => readFileSync(join(folder, file), "utf8");
const config = readJson(readText("config.json"), 1 << 16);
const shape = config.ok ? readShape(config.value) : undefined;
if (shape === undefined)
  fail("config.json does not say how the model is built, or of another kind than the engine computes");
const made = convertToGguf({
  name,
  shape,
  weights: readFileSync(join(folder, "model.safetensors")),
  tokenizer: readText("tokenizer.json"),
});
if (!made.ok) fail(made.reason);
writeFileSync(out, made.value);

function readShape(said: Json): Shape | undefined {
  if (!isRecord(said) || said["model_type"] !== "bert") return undefined;
  // The engine supports only BERT models with the activation function GELU and absolute positions.
  if ((said["hidden_act"] ?? "gelu") !== "gelu" || (said["position_embedding_type"] ?? "absolute") !== "absolute")
    return undefined;
  const count = (of: string) => (typeof said[of] === "number" ? said[of] : 0);
  const shape: Shape = {
    layers: count("num_hidden_layers"),
    width: count("hidden_size"),
    inner: count("intermediate_size"),
    heads: count("num_attention_heads"),
    contextTokens: count("max_position_embeddings"),
    epsilon: count("layer_norm_eps"),
  };
  return Object.values(shape).every((value) => value > 0) ? shape : undefined;
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
