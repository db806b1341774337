// Computes prefilled states in a separate process. The model engine reads the weights in that process, so a malformed file cannot harm
// capc. The program reads the request as JSON from standard input, and prints a line of JSON for each computed state.

import { text } from "node:stream/consumers";
import { type PrefillOrder, prefill } from "../../../engine/processes/model/local/prefill.ts";

const order: PrefillOrder = JSON.parse(await text(process.stdin));
const making = prefill(order);
for (;;) {
  const next = await making.next();
  if (next.done !== true) {
    process.stdout.write(`${JSON.stringify(next.value)}\n`);
    continue;
  }
  if (!next.value.ok) {
    process.stderr.write(`${next.value.reason}\n`);
    process.exitCode = 1;
  }
  break;
}
