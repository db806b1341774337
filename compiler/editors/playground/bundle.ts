// Makes two JavaScript texts for the playground, which runs in a browser: the compiler, and the code of the web page.
// In place of Node's functions, the texts contain functions that throw an error. In place of the code that reads the
// disk, the compiler contains the files of capc's standard library.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const HERE = join(CHECKOUT, "compiler/editors/playground");

/** Modules whose functions are unavailable in a browser. Only the compilation of schemas needs them. */
const ABSENT = /^(node:|capnp-es\b)/;
const WHAT = "imported Cap'n Proto schemas";
/** Files that the compiler of pages reads. */
const READ = /\.cap$|^import\/.*\.capnp$/;

interface Bundled {
  readonly text: string;
  /** Paths of all bundled files, relative to the checkout. */
  readonly inputs: readonly string[];
}

export const bundleCompiler = (): Promise<Bundled> => bundle("worker.ts", "iife");
export const bundlePage = (): Promise<Bundled> => bundle("page/main.ts", "esm");

async function bundle(entry: string, format: "iife" | "esm"): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: CHECKOUT,
    entryPoints: [join(HERE, entry)],
    // The code of the language server imports constants of its protocol from the package for Node. The bundle takes
    // them from the package of types, which has no code for connections and processes.
    alias: { "node:path": "path-browserify", "vscode-languageserver/node": "vscode-languageserver-types" },
    inject: [join(HERE, "buffer.ts")],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "browser",
    target: "es2024",
    format,
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    plugins: [standardLibrary, unlookedPrograms, unmeasuredImages, absent],
  });
  return { text: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs).sort() };
}

const standardLibrary: Plugin = {
  name: "standard library",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/compiler\/phases\/source\/disk\.ts$/ }, () => {
      const folder = join(CHECKOUT, "stdlib");
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => READ.test(name));
      const files = names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]);
      const contents = `import { standardHost } from ${JSON.stringify(join(HERE, "standard-host.ts"))};
export const createDiskHost = standardHost(${JSON.stringify(Object.fromEntries(files))});
export const locateStandardFile = (path) => "/" + path;`;
      return { contents, loader: "js", resolveDir: HERE };
    });
  },
};

/** Omits the inspection of services' programs, which needs a bundler. A browser has none, so the playground only lists the programs. */
const unlookedPrograms: Plugin = {
  name: "unlooked programs",
  setup: ({ onLoad }) => {
    const contents = "export const checkPrograms = async () => [];";
    onLoad({ filter: /\/compiler\/phases\/reflect\/programs\.ts$/ }, () => ({ contents, loader: "js" }));
  },
};

/** Omits the check of an image's sizes: a browser makes no image, and the targets that compute the sizes need Node.js. */
const unmeasuredImages: Plugin = {
  name: "unmeasured images",
  setup: ({ onLoad }) => {
    const contents = "export const checkSizes = () => [];";
    onLoad({ filter: /\/compiler\/phases\/fit\/sizes\.ts$/ }, () => ({ contents, loader: "js" }));
  },
};

const absent: Plugin = {
  name: "absent",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: ABSENT }, ({ path }) => (path === "node:path" ? undefined : { path, namespace: "absent" }));
    onLoad({ filter: /./, namespace: "absent" }, async ({ path }) => {
      const kept = path === "node:crypto" ? ["createHash"] : [];
      const names = Object.keys(await import(path)).filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== "default");
      const left = names.filter((name) => !kept.includes(name)).sort();
      const contents = [
        `import { leftOut } from ${JSON.stringify(join(HERE, "unavailable.ts"))};`,
        ...kept.map((name) => `export { ${name} } from ${JSON.stringify(join(HERE, "digests.ts"))};`),
        ...left.map((name) => `export const ${name} = /* @__PURE__ */ leftOut(${JSON.stringify(WHAT)});`),
      ].join("\n");
      return { contents, loader: "js", resolveDir: HERE };
    });
  },
};
