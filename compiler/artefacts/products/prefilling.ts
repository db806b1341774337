// The program that computes states, in a process of its own: an engine reads the weights there, and what a malformed file does
// to it is over with that process. An order comes on standard input; each state is told in a line of JSON when it is made.

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
