// Renders the playground as one file. A browser can open the file from a disk, and its content policy forbids requests
// to any address.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bug } from "../../../lang/diagnostics/index.ts";
import { bundleCompiler, bundlePage } from "./bundle.ts";
import { readLicences } from "./licences.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** Returns the playground as one HTML file. Equal checkouts give equal bytes. */
export async function renderPlayground(): Promise<string> {
  const [compiler, page] = await Promise.all([bundleCompiler(), bundlePage()]);
  const style = readPageFile("page.css");
  const licences = readLicences(CHECKOUT, [...compiler.inputs, ...page.inputs]);
  const { version } = JSON.parse(readFileSync(`${CHECKOUT}/package.json`, "utf8"));
  const parts: Readonly<Record<string, string>> = {
    POLICY: renderContentPolicy(page.text, style),
    VERSION: escapeHtml(String(version)),
    STYLE: style,
    FIRST: escapeHtml(readPageFile("first.cap")),
    LICENCES: licences.map(({ name, version: at, text }) => escapeHtml(`${name} ${at}\n\n${text}`)).join("\n\n\n"),
    COMPILER: checkScript(compiler.text),
    PAGE: checkScript(page.text),
  };
  return readPageFile("page.html").replace(/@([A-Z]+)@/g, (_, name: string) => parts[name] ?? "");
}

function readPageFile(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), "utf8");
}

/** Returns a content policy that allows one script, one style and the compiler's worker. Images are allowed only as `data:` URLs. */
function renderContentPolicy(script: string, style: string): string {
  const allowed = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "worker-src blob:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return allowed.join("; ");
}

function digestOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/**
 * Returns the script unchanged, because HTML has no way to escape a script. The bundler avoids character sequences that
 * would end the script element or hide its end; if one is left, the function throws.
 */
function checkScript(text: string): string {
  return /<\/script|<!--/i.test(text) ? bug("a script that ends itself was bundled") : text;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
