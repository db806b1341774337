import { type Files, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const principals = Array.from({ length: 10_001 }, (_, index) => `principal p${index} {}`);

export const files: Files = { "/system.cap": renderFactsPage({ top: principals.join("\n") }) };
