// The page with every name resolved. Names that could not be resolved were reported and left out. `damaged` marks a hole that
// would make a law report something false.
export type * from "./backends.ts";
export type * from "./claims.ts";
export * from "./flows.ts";
export type * from "./interfaces.ts";
export type * from "./lattice.ts";
export * from "./lines.ts";
export type * from "./page.ts";
export * from "./rehearsals.ts";
export * from "./sessions.ts";
export type * from "./tasks.ts";
