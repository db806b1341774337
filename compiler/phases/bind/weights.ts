import type { ModelAttribute, ModelNode, Quantity } from "../../../lang/tree/index.ts";
import type { Package } from "../source/index.ts";
import { wrongAmount, wrongUnit } from "./codes.ts";
import { type Context, declare, ofKind, once } from "./context.ts";
import type { Price, Weights } from "./model/index.ts";
import { percentOf, scaled, tokensOf } from "./quantities.ts";

/** Language models by name: what the page says of each. Nobody opens their weights here. */
export function bindWeights(
  context: Context,
  files: Package["weights"],
  nodes: readonly ModelNode[],
): Map<string, Weights> {
  const first = new Map<string, ModelNode>();
  for (const node of nodes) declare(context, first, "model", node.name, node);
  return new Map([...first].map(([name, node]) => [name, weightsOf(context, files, name, node)]));
}

function weightsOf(context: Context, files: Package["weights"], name: string, node: ModelNode): Weights {
  const one = <K extends ModelNode["attributes"][number]["kind"]>(kind: K) =>
    once(context, `\`${kind}\``, ofKind(node.attributes, kind));
  const path = one("weights")?.path;
  const window = one("context");
  const accept = one("accept");
  const priced = one("price");
  return {
    name,
    path,
    file: path && files.get(path),
    arch: one("arch")?.name.text,
    quantisation: one("quantisation")?.name.text,
    contextTokens: window === undefined ? 0 : tokensOf(context, window.size),
    tools: one("tools")?.supported.value ?? false,
    served: one("served")?.words.value,
    price: priced === undefined ? undefined : priceOf(context, priced),
    acceptPercent: accept === undefined ? 0 : percentOf(context, accept.size),
    node,
  };
}

/** Providers charge fractions of a cent: a price is exact in millionths of a currency for a million tokens. */
const MICROS = 1_000_000n;
const MOST_MICROS = MICROS * MICROS;

/** What is asked costs the first amount, what is answered the second, or the same. Nothing where it is wrong, which was reported. */
function priceOf(context: Context, { amounts }: Extract<ModelAttribute, { kind: "price" }>): Price | undefined {
  const [input, output = input, third] = amounts;
  if (input === undefined || output === undefined) return undefined;
  if (third !== undefined) {
    context.report(wrongAmount.at(third.amount.span, { amount: third.amount.decimal, wanted: "one price or two" }));
    return undefined;
  }
  const currency = input.unit.text;
  const misfit = [input, output].find(({ unit }) => unit.text !== currency || !/^[A-Z]{3}$/.test(currency));
  if (misfit !== undefined) {
    const known = misfit === input ? ["EUR", "USD"] : [currency];
    context.report(wrongUnit.at(misfit.unit.span, { unit: misfit.unit.text, what: "price", known }));
    return undefined;
  }
  const inputMicros = microsOf(context, input);
  // One amount that stands for both must not be reported twice.
  const outputMicros = output === input ? inputMicros : microsOf(context, output);
  if (inputMicros === undefined || outputMicros === undefined) return undefined;
  return { currency, inputMicros, outputMicros };
}

/** Something may be free; a price that is too large is a mistake. */
function microsOf(context: Context, { amount }: Quantity): bigint | undefined {
  const micros = scaled(amount.decimal, MICROS);
  if (micros !== undefined && micros <= MOST_MICROS) return micros;
  const wanted = micros === undefined ? "a whole number of millionths" : `at most ${MICROS}`;
  context.report(wrongAmount.at(amount.span, { amount: amount.decimal, wanted }));
  return undefined;
}
