import { findNearest } from "../../../../lang/diagnostics/index.ts";
import type { Span } from "../../../../lang/text/index.ts";
import { findConditionalLines } from "../../support/conditional.ts";
import { defineLaw } from "../../support/law.ts";
import { listNames } from "../../support/nodes.ts";
import { currencyUnknown } from "./codes.ts";
import { CURRENCIES } from "./currencies.ts";

/**
 * Checks the currencies of facts, quotas and prices. Amounts in conditions are not checked: if the currency differs
 * from that of the argument, another law reports `where-wrong-type`.
 */
export const rule = defineLaw({
  reports: [currencyUnknown],
  check: ({ model, trees }, report) => {
    const categories = new Set(model.categories.map(({ name }) => name));
    const say = (currency: string, span: Span): void =>
      report(currencyUnknown.at(span, { currency, near: findNearest(currency, CURRENCIES) }));
    const compared = new Set(
      findConditionalLines(model).flatMap(({ checks }) =>
        checks.flatMap(({ literals }) =>
          literals.flatMap(({ node }) => (node?.kind === "number" ? (node.unit ?? []) : [])),
        ),
      ),
    );
    for (const { role, node } of trees.flatMap(listNames)) {
      if (compared.has(node)) continue;
      // The unit of a quota may be the name of a category instead of a currency.
      const isMoney = role === "currency" || (role === "unit" && isCode(node.text) && !categories.has(node.text));
      if (isMoney && !CURRENCIES.has(node.text)) say(node.text, node.span);
    }
    const sources = new Set(trees.map(({ source }) => source));
    for (const face of new Set(model.services.map((service) => service.interface))) {
      for (const { facts } of face.node.methods) {
        for (const fact of facts) {
          if (fact.kind !== "argument" || fact.meaning.kind !== "money" || sources.has(fact.span.source)) continue;
          // An unknown currency in an imported schema is reported where the page names the interface, for example at
          // `interface ledger.Ledger {}`.
          const { text } = fact.meaning.currency;
          if (!CURRENCIES.has(text)) say(text, face.node.name.span);
        }
      }
    }
  },
});

function isCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}
