export { type CertainFixes, findCertainFixes } from "./certain.ts";
export { type PageFixes, selectAgreedFixes } from "./certain-fixes.ts";
