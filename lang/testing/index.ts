export { anyDamagedPage, anyPage, anyWords, LINES, type PageKind } from "./pages.ts";
