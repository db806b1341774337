// Types of a page in which every name is resolved. A name that could not be resolved was reported and left out.
// `damaged` is set if a missing part could make a law report a mistake that the page does not have.
export type * from "./backends.ts";
export type * from "./claims.ts";
export * from "./flows.ts";
export type * from "./interfaces.ts";
export type * from "./lattice.ts";
export * from "./lines.ts";
export type * from "./page.ts";
export type * from "./parameters.ts";
export * from "./rehearsals.ts";
export * from "./sessions.ts";
export type * from "./tasks.ts";
