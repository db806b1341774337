// The command line as a few JavaScript files in dist/: Node strips no types below node_modules, and reads few files
// faster than hundreds. Commands stay apart, so that a short one loads only itself. Packages of others are not bundled:
// their licences stay where their programs are.

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { diagnosticPages } from "../cli/diagnostic-pages.ts";

const ENTRIES = ["compiler/cli/main.ts", "compiler/reflect/schema-worker.ts"];

/** In each file of the bundle: where a source stood, seen from the package. */
const BANNER = "const sourceUrl = (path) => new URL('../' + path, import.meta.url).href;";

/** Writes dist/ below `folder`. */
export async function writeBundle(checkout: string, folder: string): Promise<void> {
  const pages = await diagnosticPages();
  await build({
    absWorkingDir: checkout,
    entryPoints: ENTRIES.map((entry) => ({ in: entry, out: nameOf(entry) })),
    outdir: join(folder, "dist"),
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node24",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    banner: { js: BANNER },
    plugins: [placed(checkout, pages)],
  });
}

function nameOf(entry: string): string {
  return entry.replace(/^.*\//, "").replace(/\.ts$/, "");
}

/** Sources go on finding what lies beside them, and the pages of diagnostics come from where they can still be read. */
function placed(checkout: string, pages: unknown): Plugin {
  return {
    name: "placed",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\/compiler\/cli\/diagnostic-pages\.ts$/ }, () => ({
        contents: `export const diagnosticPages = async () => (${JSON.stringify(pages)});`,
        loader: "js",
      }));
      onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: contentsOf(checkout, path), loader: "ts" }));
    },
  };
}

function contentsOf(checkout: string, path: string): string {
  const source = JSON.stringify(relative(checkout, path));
  return readFileSync(path, "utf8")
    .replaceAll("import.meta.url", `sourceUrl(${source})`)
    .replace('new URL("./schema-worker.ts", ', 'new URL("../../dist/schema-worker.js", ');
}
