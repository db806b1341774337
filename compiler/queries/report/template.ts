// Renders templates. All HTML of the report is made here. Handlebars escapes all values except three: our own styles, our own scripts, and
// the script's data, which is JSON without special characters of HTML.

import { createHash } from "node:crypto";
import Handlebars from "handlebars";
import { TEMPLATES } from "./parts.ts";

/** With `strict`, rendering throws if a template uses a name that the view lacks, which is a defect of capc. */
const OPTIONS = { strict: true, knownHelpersOnly: true, preventIndent: true } as const;

let known: Handlebars.TemplateDelegate | undefined;

export function renderTemplate(view: object): string {
  known ??= compileTemplate();
  return known(view);
}

function compileTemplate(): Handlebars.TemplateDelegate {
  const handlebars = Handlebars.create();
  for (const [name, text] of TEMPLATES) handlebars.registerPartial(name, handlebars.compile(text, OPTIONS));
  return handlebars.compile("{{> page}}\n", OPTIONS);
}

/**
 * Returns the content security policy. The page can load nothing except its own styles and scripts. It connects to no
 * address, and cannot create markup from text.
 */
export function renderCsp(style: string, scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    `script-src ${scripts.map(digestOf).join(" ")}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function digestOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const MARKUP: ReadonlyMap<string, string> = new Map(
  ["<", ">", "&", "\u2028", "\u2029"].map((one) => [one, `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`]),
);

/** Returns JSON without characters that have a meaning in HTML. */
export function renderData(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (one) => MARKUP.get(one) ?? one);
}
