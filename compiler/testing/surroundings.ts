import type { InterfaceDescription, MethodDescription, Param, Type } from "../bind/index.ts";
import type { Surroundings } from "../compile.ts";
import { IMAGE_PROVIDERS } from "../policy/index.ts";
import { reflectStandard } from "../reflect/index.ts";

// What tests compile against: the standard interfaces, and some more with arguments of every shape, so that laws about
// conditions and categories can be shown without waiting for the image to provide such tools.

const text: Type = { which: "text", text: { maxBytes: 1024 } };
const boolean: Type = { which: "boolean" };
const port: Type = { which: "integer", integer: { low: 0n, high: 65_535n } };
const colour: Type = { which: "choice", choice: ["red", "green"] };
const size: Type = { which: "record", record: [param("width", port), param("names", { which: "list", list: text })] };

function param(name: string, type: Type): Param {
  return { name, type, required: true };
}

function method(ordinal: number, name: string, params: readonly Param[] = [], doc = ""): MethodDescription {
  const none = { results: [], resultSchema: "{}", paramSchema: "{}" };
  return { ordinal, name, doc, callable: true, params, ...none };
}

/** Said of two methods that do different things. */
const SAME_WORDS = "Changes the board.";

const BOARD: InterfaceDescription = {
  id: 0x1001n,
  name: "Board",
  file: "test.capnp",
  doc: "",
  methods: [method(0, "post", [param("line", text)], SAME_WORDS), method(1, "wipe", [], SAME_WORDS)],
};

const SHOP: InterfaceDescription = {
  id: 0x1002n,
  name: "Shop",
  file: "test.capnp",
  doc: "",
  methods: [
    method(0, "buy", [
      param("price", text),
      param("from", text),
      param("count", port),
      param("colour", colour),
      param("gift", boolean),
      param("size", size),
    ]),
    { ordinal: 1, name: "open", doc: "", callable: false, reason: "shop is a capability" },
  ],
};

/** Nothing in the image answers for it. */
const KIOSK: InterfaceDescription = {
  id: 0x1003n,
  name: "Kiosk",
  file: "test.capnp",
  doc: "",
  methods: [method(0, "look")],
};

export const testSurroundings: Surroundings = {
  described: [...reflectStandard(), BOARD, SHOP, KIOSK],
  provided: new Map([...IMAGE_PROVIDERS, ["Board", "files"], ["Shop", "files"], ["Fetch", "files"]]),
};
