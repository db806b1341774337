import type { Files } from "../../../dev/fixtures/facts.ts";

const PERMIT = "permit { auto readOnly // nothing else\r auto destructive\n }";

/**
 * A lone carriage return follows the comment: some editors show `auto destructive` on its own line, others as a part of
 * the comment.
 */
export const files: Files = { "/system.cap": `system sample {\n  session operator {\n    ${PERMIT}\n  }\n}\n` };
