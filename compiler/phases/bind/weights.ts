import type { ModelAttribute, ModelNode, Quantity } from "../../../lang/tree/index.ts";
import type { Package } from "../source/index.ts";
import { wrongAmount, wrongUnit } from "./codes.ts";
import { type Context, declare, selectKind, takeOnce } from "./context.ts";
import type { Price, Weights } from "./model/index.ts";
import { readPercent, readTokens, scaleDecimal } from "./quantities.ts";

/** Binds language models by name, as the page describes them. The files of weights are not opened here. */
export function bindWeights(
  context: Context,
  files: Package["weights"],
  nodes: readonly ModelNode[],
): Map<string, Weights> {
  const first = new Map<string, ModelNode>();
  for (const node of nodes) declare(context, { names: first, what: "model", name: node.name, declared: node });
  return new Map([...first].map(([name, node]) => [name, bindModelWeights(context, files, name, node)]));
}

function bindModelWeights(context: Context, files: Package["weights"], name: string, node: ModelNode): Weights {
  const takeOne = <K extends ModelNode["attributes"][number]["kind"]>(kind: K) =>
    takeOnce(context, `\`${kind}\``, selectKind(node.attributes, kind));
  const path = takeOne("weights")?.path;
  const window = takeOne("context");
  const accept = takeOne("accept");
  const priced = takeOne("price");
  return {
    name,
    path,
    file: path && files.get(path),
    arch: takeOne("arch")?.name.text,
    quantisation: takeOne("quantisation")?.name.text,
    contextTokens: window === undefined ? 0 : readTokens(context, window.size),
    tools: takeOne("tools")?.supported.value ?? false,
    served: takeOne("served")?.words.value,
    price: priced === undefined ? undefined : readPrice(context, priced),
    acceptPercent: accept === undefined ? 0 : readPercent(context, accept.size),
    node,
  };
}

/**
 * Number of millionths in one unit of a currency. Prices for a million tokens are stored in millionths, because
 * providers charge fractions of a cent.
 */
const MICROS = 1_000_000n;
const MOST_MICROS = MICROS * MICROS;

/**
 * Returns the price: the first amount is for input and the second for output; a single amount is for both. If the price is invalid, reports
 * it and returns `undefined`.
 */
function readPrice(context: Context, { amounts }: Extract<ModelAttribute, { kind: "price" }>): Price | undefined {
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
  const inputMicros = readMicros(context, input);
  // If one amount is for both input and output, report its errors only once.
  const outputMicros = output === input ? inputMicros : readMicros(context, output);
  if (inputMicros === undefined || outputMicros === undefined) return undefined;
  return { currency, inputMicros, outputMicros };
}

/**
 * Returns an amount of money in millionths of its currency; an amount of 0 is valid. If the amount exceeds the limit,
 * or has a fraction of a millionth, reports this and returns `undefined`.
 */
function readMicros(context: Context, { amount }: Quantity): bigint | undefined {
  const micros = scaleDecimal(amount.decimal, MICROS);
  if (micros !== undefined && micros <= MOST_MICROS) return micros;
  const wanted = micros === undefined ? "a whole number of millionths" : `at most ${MICROS}`;
  context.report(wrongAmount.at(amount.span, { amount: amount.decimal, wanted }));
  return undefined;
}
