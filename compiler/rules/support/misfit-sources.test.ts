// Tests which arguments fit conditions on the source of a value.

import { type ArgumentName, expectFits, expectMisfits } from "./testing/misfits.ts";

const FEW = { why: "one of few possible values occurs by chance", instead: "compare it with the allowed values" };
const PARTS = { why: "it has parts", instead: "write `from` for one of its fields: `name.field`" };
const UNCONDITIONAL = "write the line without a condition on it, so that a person sees the value";
const unspoken = (term: string) => ({ why: `a ${term} has no source`, instead: "write `from` for the text itself" });
const URL = { why: "it is not a URL", instead: "`origin` is for URLs" };

expectFits(
  (["text", "meant text", "program", "path", "url", "money", "integer", "number"] as const).map(
    (name: ArgumentName) => [name, "it from person"] as const,
  ),
);

expectFits([
  ["url", "origin(it) from person"],
  ["url", "domain(it) from person"],
  ["text in a list", "every(it) from person, pasted"],
  ["text", "every(domain(addresses(it))) from person"],
]);

expectMisfits([
  ["truth value", "it from person", FEW],
  ["choice", "it from person", FEW],
  ["list", "it from person", PARTS],
  ["record", "it from person", PARTS],
  ["json", "it from person", { why: "the gate does not check its content", instead: UNCONDITIONAL }],
  ["either", "it from person", { why: "its value has one of several types", instead: UNCONDITIONAL }],
  ["text", "size(it) from person", unspoken("size")],
  ["text", "date(it) from person", unspoken("date")],
  ["text", "duration(it) from person", unspoken("duration")],
  ["text", "origin(it) from person", URL],
  ["path", "origin(it) from person", URL],
]);
