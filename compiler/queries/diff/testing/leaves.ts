// Changes each value of a plan or of tables, one by one, to check whether the code that reports differences detects
// each change.

/**
 * A value, and its path in the object that contains it. `setTo` changes the value, and returns a function that undoes
 * the change.
 */
interface Leaf {
  readonly path: string;
  readonly value: unknown;
  readonly setTo: (other: unknown) => () => void;
}

export function leavesOf(whole: object, path: readonly string[] = []): readonly Leaf[] {
  return Object.entries(whole).flatMap(([key, value]: [string, unknown]): readonly Leaf[] => {
    const at = [...path, key];
    if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) return leavesOf(value, at);
    const setTo = (other: unknown) => {
      Reflect.set(whole, key, other);
      return () => void Reflect.set(whole, key, value);
    };
    return [{ path: at.join("."), value, setTo }];
  });
}

/** Returns a value of the same type that differs from `value`. */
export function anotherThan(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array([...value, 1]);
  if (typeof value === "boolean") return !value;
  if (typeof value === "bigint") return value + 1n;
  return typeof value === "number" ? value + 1 : `${value}x`;
}

/** Valid words of a field, by its name. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  met: ["auto", "consent", "stepUp", "forbidden"],
  otherwise: ["auto", "consent", "stepUp", "forbidden"],
  mode: ["auto", "consent", "stepUp", "forbidden"],
  gate: ["consent", "stepUp"],
  entry: ["auto", "consent", "stepUp"],
  operator: ["equal", "notEqual", "less", "greater", "in", "under"],
  term: ["value", "size"],
  each: ["single", "every", "some"],
  extract: ["none", "urls", "addresses"],
  unit: ["calls", "tokens", "prompts", "bytes", "category", "money"],
  scope: ["call", "turn", "conversation", "task", "login", "principal", "hour", "day"],
  act: ["declassify", "endorse"],
  remember: ["none", "turn", "conversation"],
  login: ["none", "key", "passphrase"],
};

/** Returns other values for a leaf of tables. Some of these values make the tables inconsistent. */
export function othersThan({ path, value }: Leaf): readonly unknown[] {
  const words = WORDS[path.slice(path.lastIndexOf(".") + 1)];
  if (words !== undefined) return words.filter((word) => word !== value);
  if (typeof value === "number") return [value + 1, value - 1, 0, 1].filter((other) => other !== value);
  if (typeof value === "bigint") return [value + 1n, value - 1n];
  if (path.endsWith(".decimal")) return ["6"];
  return value === "payments" ? ["destructive"] : [anotherThan(value)];
}
