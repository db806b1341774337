export { imageTooLarge } from "./codes.ts";
export { checkFit } from "./fit.ts";
