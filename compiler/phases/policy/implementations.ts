import { type Implementation, LIBRARY_SERVICES } from "../../../engine/lib/roles/index.ts";

/** Interfaces that the image implements, with the implementation of each. */
export type Providers = ReadonlyMap<string, Exclude<Implementation, "own-native">>;

/** Providers that the runtime image contains. */
export const IMAGE_PROVIDERS: Providers = new Map(Object.entries(LIBRARY_SERVICES).map(([face, { by }]) => [face, by]));
