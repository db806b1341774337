// node main.ts FOLDER OUT: writes the published model in FOLDER as one file that the engine reads.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, type Json, readJson } from "../../policy/index.ts";
import { converted, type Shape } from "./convert.ts";

const [folder = "", out = ""] = process.argv.slice(2);
const text = (name: string) => readFileSync(join(folder, name), "utf8");
const config = readJson(text("config.json"), 1 << 16);
const shape = config.ok ? shapeOf(config.value) : undefined;
if (shape === undefined) fail("config.json does not say how the model is built");
const made = converted({
  name: "all-MiniLM-L6-v2",
  shape,
  weights: readFileSync(join(folder, "model.safetensors")),
  tokenizer: text("tokenizer.json"),
});
if (!made.ok) fail(made.reason);
writeFileSync(out, made.value);

function shapeOf(said: Json): Shape | undefined {
  if (!isRecord(said) || said["model_type"] !== "bert") return undefined;
  const count = (name: string) => (typeof said[name] === "number" ? said[name] : 0);
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
