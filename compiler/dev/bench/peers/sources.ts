/** Files by name. */
export type Sources = Readonly<Record<string, string>>;
