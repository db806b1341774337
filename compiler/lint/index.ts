export { lint } from "./lint.ts";
