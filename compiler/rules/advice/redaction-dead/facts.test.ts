import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const LEVELS = "confidentiality { public < internal < secret }  compartments { hr }";
const page = (redactions: string, clearance = "internal") =>
  renderFactsPage({ top: `${LEVELS}  ${redactions}`, backends: `backend canned { stub  clearance ${clearance} }` });

expectAdvised("redaction-without-backend", {
  "all are cleared": page('redact «cards» label internal { matches "####" }'),
  "one is not cleared for a compartment": page('redact cards label internal:{hr} { matches "####" }'),
  "nobody is cleared": page('redact cards label secret { matches "####" }'),
});

expectAdvised("redaction-repeated", {
  "of one label the second one": page(
    'redact one label secret { matches "####", "a##" }  redact two label secret { matches «"####"», "b##" }',
  ),
  "of two labels the higher one": page(
    'redact high label secret:{hr} { matches «"####"» }  redact low label secret { matches "####" }',
  ),
  "neither of two labels that cannot be compared": page(
    'redact one label internal:{hr} { matches "####" }  redact two label secret { matches "####" }',
  ),
  "an argument is no result": page(
    "redact one label secret { arg notes.write.path }  redact two label secret { from notes.write.path  arg «notes.write.path» }",
  ),
});
