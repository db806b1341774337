// Renders templates. No other module turns values into HTML. Handlebars escapes all values, with three exceptions. These are our own
// styles, our own scripts, and the data for a script, which is JSON without special characters of HTML. The helper `names` escapes its text
// itself.

import { createHash } from "node:crypto";
import Handlebars from "handlebars";
import { TEMPLATES } from "./parts.ts";

/** Options of Handlebars. With `strict`, a name that a template uses but its data lacks throws an error. */
const OPTIONS = { strict: true, knownHelpersOnly: true, knownHelpers: { names: true }, preventIndent: true } as const;

let known: Handlebars.TemplateDelegate | undefined;

export function renderTemplate(view: object): string {
  known ??= compileTemplate();
  return known(view);
}

function compileTemplate(): Handlebars.TemplateDelegate {
  const handlebars = Handlebars.create();
  handlebars.registerHelper("names", (text: string) => new Handlebars.SafeString(keepNamesWhole(text)));
  for (const [name, text] of TEMPLATES) handlebars.registerPartial(name, handlebars.compile(text, OPTIONS));
  return handlebars.compile("{{> page}}\n", OPTIONS);
}

/** Returns text for a table header. Lines break only between words, not after a hyphen or a slash in a name. */
function keepNamesWhole(text: string): string {
  const words = text.split(/(\s+)/).map((word) => {
    const escaped = Handlebars.escapeExpression(word);
    return /[^\w.]\w/.test(word) ? `<span class="whole">${escaped}</span>` : escaped;
  });
  return words.join("");
}

/**
 * Returns the content security policy: the page uses only the given style and scripts, connects to no address, and
 * creates no markup from text.
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

/** Returns JSON in which `<`, `>` and `&` are escaped, so that it can be at any place in HTML. */
export function renderData(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (one) => MARKUP.get(one) ?? one);
}
