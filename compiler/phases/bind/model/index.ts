// The page after all names are resolved. A name that could not be resolved was reported and is missing from the model. `damaged` is set if
// a missing declaration could make a later check report an error that the page does not have.
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
