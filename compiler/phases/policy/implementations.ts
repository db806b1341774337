import { type Implementation, LIBRARY_SERVICES } from "../../../engine/lib/roles/index.ts";

/** Interfaces that a program of the image serves, with the kind of the implementation. */
export type Providers = ReadonlyMap<string, Exclude<Implementation, "own-native">>;

/** Interfaces that every image provides: it contains a program for each of them. */
export const IMAGE_PROVIDERS: Providers = new Map(Object.entries(LIBRARY_SERVICES).map(([face, { by }]) => [face, by]));
