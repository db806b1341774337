export { anyDamagedPage, anyPage, anyWords, LINES, type PageKind } from "./pages.ts";
export type { Terminals } from "./sentences.ts";
