export { imageTooLarge } from "./codes.ts";
export { checkFit, MOST_ARGUMENTS } from "./fit.ts";
