export { type ImportedSettings, importClaude } from "./claude.ts";
