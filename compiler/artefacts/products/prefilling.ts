// Computes the prefilled states of a model in a separate process. The inference engine reads the weights there, so a
// malformed file can harm only that process. The parameters come as JSON on standard input; each computed state is
// reported at once as a line of JSON.

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
