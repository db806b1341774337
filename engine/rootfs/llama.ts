// The inference engine of images with a local model, from npm's prebuilt package of node-llama-cpp: its native binding and
// the libraries of llama.cpp. Nothing of the package's JavaScript is used (`engine/model/local/addon.ts`).

const PACKAGE = "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64";

/** In the root; empty where an image has no local model. */
export const LLAMA_FOLDER = "/capos/llama";

const LIBRARIES = [
  "libggml-base.so",
  "libggml.v0.5.0.so",
  "libllama-common.so",
  "libllama.v0.5.0.so",
  "llama-addon.node",
] as const;

/** The forms that `engine/model/local/engine.ts` tries; the package has eleven more, for processors between these. */
const FORMS = ["haswell", "sapphirerapids", "skylakex", "x64"] as const;

/** Where a file lies in the root, and its name in the lock of inputs. */
export interface LlamaFile {
  readonly path: string;
  readonly input: string;
}

/** The engine looks for a form below a folder by one name: so each has a folder. */
export const LLAMA_FILES: readonly LlamaFile[] = [
  ...LIBRARIES.map((name) => ({ path: `${LLAMA_FOLDER}/${name}`, input: `${PACKAGE}/${name}` })),
  ...FORMS.map((form) => ({
    path: `${LLAMA_FOLDER}/${form}/libggml-cpu.so`,
    input: `${PACKAGE}/libggml-cpu-${form}.so`,
  })),
];
