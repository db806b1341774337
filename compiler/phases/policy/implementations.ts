import { type Implementation, LIBRARY_SERVICES } from "../../../engine/lib/roles/index.ts";

/** Interfaces that a program of the image serves, with the kind of the implementation. */
export type Providers = ReadonlyMap<string, Exclude<Implementation, "own-native">>;

/** Interfaces that an image can provide without a program of the page, because capc has a program for each of them. */
export const IMAGE_PROVIDERS: Providers = new Map(Object.entries(LIBRARY_SERVICES).map(([face, { by }]) => [face, by]));
