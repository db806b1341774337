// Renders templates, which no other module does. Handlebars escapes their values, with three exceptions: our own styles and scripts, and
// the data of the script, which is JSON without any special character of HTML.

import { createHash } from "node:crypto";
import Handlebars from "handlebars";
import { TEMPLATES } from "./parts.ts";

/** `strict`: a name that a template uses and the page lacks is a defect, and throws. */
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

/** Returns the content security policy: the page loads nothing else, connects to no address, and creates no markup from text. */
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

/** Returns JSON that has the same meaning wherever it stands in HTML. */
export function renderData(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (one) => MARKUP.get(one) ?? one);
}
