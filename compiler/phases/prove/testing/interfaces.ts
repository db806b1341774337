import type { InterfaceDescription, MethodDescription, Param, Type } from "../../bind/index.ts";
import { reflectStandard } from "../../reflect/index.ts";

// Defines the interfaces of the random pages: few methods, with arguments of each type that conditions can test.

const text: Type = { which: "text", text: { maxBytes: 40 } };

function method(ordinal: number, name: string, params: readonly Param[]): MethodDescription {
  return {
    ordinal,
    name,
    doc: "",
    callable: true,
    params,
    paramSchema: schemaOf(params),
    results: [],
    resultSchema: "{}",
  };
}

function schemaOf(params: readonly Param[]): string {
  const properties = Object.fromEntries(params.map(({ name, type }) => [name, typeSchema(type)]));
  const required = params.filter((param) => param.required).map(({ name }) => name);
  return JSON.stringify({ additionalProperties: false, properties, required, type: "object" });
}

function typeSchema(type: Type): object {
  if (type.which === "boolean") return { type: "boolean" };
  if (type.which === "choice") return { enum: type.choice, type: "string" };
  if (type.which === "integer") return { maximum: Number(type.integer.high), minimum: 0, type: "integer" };
  if (type.which === "list") return { items: typeSchema(type.list), type: "array" };
  return { maxLength: 40, type: "string" };
}

function required(name: string, type: Type): Param {
  return { name, type, required: true };
}

const described = (id: bigint, name: string, methods: readonly MethodDescription[]): InterfaceDescription => ({
  id,
  name,
  file: "random.capnp",
  doc: "",
  methods,
});

/** Conditions on the arguments of each method. The conditions use values of the vocabulary that arguments.ts tries. */
export const CHECKS: Readonly<Record<string, readonly string[]>> = {
  "Store.look": ['path under "/x"', 'path == "a"'],
  "Store.put": [
    ...['path under "/x"', "count <= 10", "count > 15", 'path in ["a", "b"] and count < 20'],
    ...[
      "has(count)",
      "not has(count)",
      "path from person",
      "path from untrusted",
      "count <= 10 or absent",
      'count < 5 or absent and path == "a"',
    ],
  ],
  "Desk.ask": [
    ...['origin(url) in ["https://a.example"]', 'origin(url) != "https://b.example"'],
    ...['domain(url) under "example"', 'domain(url) != "a.example"', 'domain(url) in ["a.example", "b.example"]'],
  ],
  "Desk.post": [
    ...["size(line) <= 2", 'line != "a"', "amount <= 20 EUR", 'line == "abc" and size(line) < 2'],
    ...['line startsWith "a"', 'line endsWith "c"', 'line startsWith "ab" and size(line) < 3'],
  ],
  "Desk.tell": [
    ...['every(to) in ["a", "b"]', 'some(to) == "a"', "count(to) < 2", 'every(to) startsWith "a" or absent'],
    ...["has(to)", "not has(to)", "every(to) from page, pasted", "some(to) from person"],
  ],
  "Vault.drop": ["force == false", 'kind == "red"', 'force == true and kind != "red"'],
};

/** Conditions on arguments that lines of a task may have. Some of these conditions name parameters of the task. */
export const CHOSEN_CHECKS: typeof CHECKS = {
  ...CHECKS,
  "Store.look": ["path under task.name", "path == task.name"],
  "Store.put": [
    ...["path under task.name", "count <= task.most", "count > 15", 'path in ["a", task.name] and count < 20'],
    ...["has(count)", "not has(count)", "path from person", "path from untrusted", "count == task.most or absent"],
    "count < task.most or absent and path == task.name",
  ],
  "Desk.post": [
    ...["size(line) <= 2", "line != task.name", "amount <= task.sum", "line == task.name and size(line) < 2"],
    ...['line startsWith "a"', "line endsWith task.name", "amount < 15 EUR and amount > task.sum"],
  ],
  "Vault.drop": ["force == false", "kind == task.name", "force == true and kind != task.name"],
};

/** The parameters that the conditions in CHOSEN_CHECKS name. */
export const PARAMETERS = "(name: text, most: number, sum: money EUR)";

export const METHODS = {
  Store: ["look", "put"],
  Desk: ["ask", "post", "tell"],
  Vault: ["peek", "drop"],
} as const;

export const DESCRIBED: readonly InterfaceDescription[] = [
  described(0x2001n, "Store", [
    method(0, "look", [required("path", text)]),
    method(1, "put", [
      required("path", text),
      { ...required("count", { which: "integer", integer: { low: 0n, high: 99n } }), required: false },
    ]),
  ]),
  described(0x2002n, "Desk", [
    method(0, "ask", [required("url", text)]),
    method(1, "post", [required("line", text), required("amount", text)]),
    method(2, "tell", [{ ...required("to", { which: "list", list: text }), required: false }]),
  ]),
  described(0x2003n, "Vault", [
    method(0, "peek", []),
    method(1, "drop", [
      required("force", { which: "boolean" }),
      required("kind", { which: "choice", choice: ["green", "red"] }),
    ]),
  ]),
  ...reflectStandard().filter(({ name }) => name === "Fetch"),
];
