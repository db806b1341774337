import { type Implementation, LIBRARY_SERVICES } from "../../../engine/lib/roles/index.ts";

/** Interfaces that something in the image serves, with the implementation. */
export type Providers = ReadonlyMap<string, Exclude<Implementation, "own-native">>;

/** Providers that the runtime image contains. */
export const IMAGE_PROVIDERS: Providers = new Map(Object.entries(LIBRARY_SERVICES).map(([face, { by }]) => [face, by]));
