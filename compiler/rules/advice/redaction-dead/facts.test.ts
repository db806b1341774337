import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const LEVELS = "confidentiality { public < internal < secret }  compartments { hr }";
const page = (redactions: string, clearance = "internal") =>
  renderFactsPage({ top: `${LEVELS}  ${redactions}`, backends: `backend canned { stub  clearance ${clearance} }` });

expectAdvised("redaction-without-backend", {
  "a redaction for which all backends are cleared": page('redact «cards» label internal { matches "####" }'),
  "a backend without clearance for one compartment": page('redact cards label internal:{hr} { matches "####" }'),
  "a redaction for which no backend is cleared": page('redact cards label secret { matches "####" }'),
});

expectAdvised("redaction-repeated", {
  "two redactions with the same label, at the second one": page(
    'redact one label secret { matches "####", "a##" }  redact two label secret { matches «"####"», "b##" }',
  ),
  "the higher one of two labels": page(
    'redact high label secret:{hr} { matches «"####"» }  redact low label secret { matches "####" }',
  ),
  "two labels that cannot be compared": page(
    'redact one label internal:{hr} { matches "####" }  redact two label secret { matches "####" }',
  ),
  "one argument twice, beside the result field of the same name": page(
    "redact one label secret { arg notes.write.path }  redact two label secret { from notes.write.path  arg «notes.write.path» }",
  ),
});
