// Bundles the command line into a few JavaScript files in dist/. They are bundled because Node.js strips no types below
// node_modules, and reads a few files faster than hundreds of files. Each command is in a separate file, so that a
// short command loads only its own code. Third-party packages are not bundled, so that their licences stay beside their
// programs.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { readDiagnosticPages } from "../../cli/diagnostic-pages.ts";

/**
 * Programs that run one command each. They share no file of the bundle with other commands, so their code is in few
 * files. To run one of these commands, the launcher starts its program in place of the program of all commands.
 */
const ALONE: readonly string[] = ["compiler/cli/check-main.ts", "compiler/cli/try-main.ts"];

/** The program of all commands, and the programs that it starts in a thread or process. */
const ENTRIES = [
  "compiler/cli/main.ts",
  "compiler/phases/reflect/schema-worker.ts",
  "compiler/machine/web.ts",
  "compiler/machine/link/names.ts",
  "compiler/machine/link/syslog.ts",
  "compiler/cli/conversations/reader.ts",
  "compiler/artefacts/products/prefilling.ts",
];

const PROGRAMS: readonly (readonly string[])[] = [ENTRIES, ...ALONE.map((entry) => [entry])];

/**
 * Code at the beginning of each bundled file: it defines functions that return the original URL of a source, the URL of
 * a bundled file, and an export of a module of Node.js. `root` is the path of the checkout relative to the folder of
 * the bundle.
 */
function renderBanner(root: string): string {
  return `const sourceUrl = (path) => new URL("${root}" + path, import.meta.url).href;
const bundledUrl = (name) => new URL("./" + name, import.meta.url).href;
const builtin = (module, name) => process.getBuiltinModule(module)[name];`;
}

/** Writes the bundle (the folder dist/) below `folder`, which is the folder of the npm package. */
export async function writeBundle(checkout: string, folder: string): Promise<void> {
  const pages = await readDiagnosticPages();
  for (const entries of PROGRAMS)
    await bundleInto(checkout, { folder, root: "../", plugin: createPageModule(pages), entries });
}

/**
 * Writes a bundle (the folder dist/) below `folder`; it runs in the checkout. `root` is the path from `folder` to the
 * checkout (`../` for each level). Returns the source texts by path relative to the checkout; the caller stores their
 * digests, to detect an outdated bundle.
 */
export async function writeBundleBeside(
  checkout: string,
  folder: string,
  root: string,
): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  const noting: Plugin = {
    name: "noting",
    setup: ({ onEnd }) => {
      onEnd(({ metafile }) => {
        const unseen = Object.keys(metafile?.inputs ?? {}).filter((path) => !read.has(path));
        if (unseen.length > 0) throw new Error(`bundled without being looked at: ${unseen.join(", ")}`);
      });
    },
  };
  for (const entries of PROGRAMS) await bundleInto(checkout, { folder, root, plugin: noting, read, entries });
  return read;
}

/** Bundles one program that is not a command, for the benchmark, and returns its path. `entry` is relative to the checkout. */
export async function bundleProgram(checkout: string, folder: string, root: string, entry: string): Promise<string> {
  await bundleInto(checkout, {
    folder,
    root,
    plugin: { name: "none", setup: () => {} },
    read: new Map(),
    entries: [entry],
  });
  return join(folder, "dist", `${nameOf(entry)}.js`);
}

/** Folder of a bundle, its relative path to the checkout, and its entries. */
interface BundlePlan {
  readonly folder: string;
  readonly root: string;
  readonly plugin: Plugin;
  readonly read?: Map<string, string>;
  /** Programs to bundle; code that several of them use is in files that they share. */
  readonly entries: readonly string[];
}

async function bundleInto(
  checkout: string,
  { folder, root, plugin, read = new Map<string, string>(), entries }: BundlePlan,
): Promise<void> {
  await build({
    absWorkingDir: checkout,
    entryPoints: entries.map((entry) => ({ in: entry, out: nameOf(entry) })),
    outdir: join(folder, "dist"),
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node24",
    // ASCII makes starts faster: V8 stores a text with other letters in two bytes for each letter, and Node must
    // convert such a text to hash it for its compile cache.
    charset: "ascii",
    legalComments: "none",
    // Minified code has three quarters of the length, so it is read, hashed and compiled sooner. Names are kept, for reports of defects.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "silent",
    metafile: true,
    banner: { js: renderBanner(root) },
    plugins: [plugin, createPlacedPlugin(checkout, read)],
  });
}

function nameOf(entry: string): string {
  return entry.replace(/^.*\//, "").replace(/\.ts$/, "");
}

/**
 * Returns a plugin that embeds the pages of diagnostics, which can only be read at bundling time. It puts them into a
 * separate file, so that a command loads them only if it needs them.
 */
function createPageModule(pages: unknown): Plugin {
  return {
    name: "pages",
    setup: ({ onLoad, onResolve }) => {
      onLoad({ filter: /\/compiler\/cli\/diagnostic-pages\.ts$/ }, () => ({
        contents: `export const readDiagnosticPages = async () => (await import("${PAGES}")).default;`,
        loader: "js",
      }));
      onResolve({ filter: new RegExp(`^${PAGES}$`) }, () => ({ path: PAGES, namespace: PAGES }));
      onLoad({ filter: /./, namespace: PAGES }, () => ({ contents: JSON.stringify(pages), loader: "json" }));
    },
  };
}

const PAGES = "pages-of-diagnostics";

/**
 * Returns a plugin that replaces `import.meta.url` in each source by the URL of that source in the checkout. So paths
 * relative to a source stay valid in the bundle. It puts the original texts into `read`.
 */
function createPlacedPlugin(checkout: string, read: Map<string, string>): Plugin {
  return {
    name: "placed",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const source = relative(checkout, path);
        const text = readFileSync(path, "utf8");
        read.set(source, text);
        return { contents: rewriteBuiltins(rewriteUrls(source, text)), loader: "ts" };
      });
    },
  };
}

/** Returns the path of `entry` as `source` would import it. */
function getImportPath(source: string, entry: string): string {
  const path = relative(dirname(source), entry);
  return path.startsWith("../") ? path : `./${path}`;
}

function rewriteUrls(source: string, text: string): string {
  return ENTRIES.reduce(
    (each, entry) =>
      each.replaceAll(`new URL("${getImportPath(source, entry)}", `, `new URL(bundledUrl("${nameOf(entry)}.js"), `),
    text.replaceAll("import.meta.url", `sourceUrl(${JSON.stringify(source)})`),
  );
}

/**
 * Replaces imports of named exports of Node.js by calls of `builtin`, which read only these exports. For an import,
 * Node.js reads every export of the module. So it loads the streams and promises behind `node:fs` and the threads
 * behind `node:util`, which takes a fifth of the time of a short command. Other imports stay.
 */
function rewriteBuiltins(text: string): string {
  return text.replace(/^import \{([^}]*)\} from "(node:[\w/]+)";$/gm, (_, names: string, module: string) => {
    const imported = names.split(",").map((name) => name.trim());
    const values = imported.filter((name) => name !== "" && !name.startsWith("type "));
    return values
      .map((value) => {
        const [name = "", local = name] = value.split(" as ");
        return `const ${local} = /* @__PURE__ */ builtin("${module}", "${name}");`;
      })
      .join(" ");
  });
}
