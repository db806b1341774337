import type { Files } from "../../../dev/fixtures/facts.ts";

const PERMIT = "permit { auto readOnly // nothing else\r auto destructive\n }";

/** Some editors show `auto destructive` on its own line, and others show it as a part of the comment. */
export const files: Files = { "/system.cap": `system sample {\n  session operator {\n    ${PERMIT}\n  }\n}\n` };
