import { type Files, page } from "../../../dev/fixtures/facts.ts";

const principals = Array.from({ length: 10_001 }, (_, index) => `principal p${index} {}`);

export const files: Files = { "/system.cap": page({ top: principals.join("\n") }) };
