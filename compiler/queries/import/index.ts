export { importClaude } from "./claude.ts";
