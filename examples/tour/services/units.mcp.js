// A server of the Model Context Protocol over standard input and output, by hand; one that is made with an SDK and bundled into
// one file does as well.

import { createInterface } from "node:readline";

const METRES = { mm: 0.001, cm: 0.01, m: 1, km: 1000, inch: 0.0254, foot: 0.3048, mile: 1609.344 };
const unit = { type: "string", enum: Object.keys(METRES) };

const TOOLS = [
  {
    name: "convert",
    description: "Convert a length from one unit to another.",
    inputSchema: {
      type: "object",
      properties: { length: { type: "number" }, from: unit, to: unit },
      required: ["length", "from", "to"],
    },
  },
  {
    name: "units",
    description: "List the units of length that are known.",
    inputSchema: { type: "object", properties: {} },
  },
];

const text = (words) => ({ content: [{ type: "text", text: words }] });

const tools = {
  convert: ({ length, from, to }) => text(`${(length * METRES[from]) / METRES[to]} ${to}`),
  units: () => text(Object.keys(METRES).join(" ")),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "units", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": ({ name, arguments: args }) => tools[name](args),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params);
  const answer = result === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
