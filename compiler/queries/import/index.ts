export { importClaude } from "./claude/claude.ts";
