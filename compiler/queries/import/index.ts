export { importClaude } from "./claude/claude.ts";
export { importCodex } from "./codex/codex.ts";
export { importGemini } from "./gemini/gemini.ts";
export type { ImportedSettings } from "./imported.ts";
export { narrowPage } from "./narrow.ts";
export { importOpenclaw } from "./openclaw/openclaw.ts";
