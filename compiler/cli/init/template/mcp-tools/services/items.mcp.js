// A server of the Model Context Protocol over standard input and output, in one file. A server that uses an SDK works too, as one bundled file:
//   esbuild server.ts --bundle --minify --platform=node --format=esm --outfile=services/items.mcp.js
// It runs in a jail: no network, no other process and no files.

import { createInterface } from "node:readline";

const TOOLS = [
  {
    name: "list_items",
    description: "List what is on the shopping list.",
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: true },
  },
  {
    name: "add_item",
    description: "Put an item on the shopping list.",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string" }, amount: { type: "integer", minimum: 1, maximum: 99 } },
      required: ["name"],
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  {
    name: "clear_list",
    description: "Take everything off the shopping list.",
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
];

const items = [];
const text = (words) => ({ content: [{ type: "text", text: words }] });

const tools = {
  list_items: () => text(items.length === 0 ? "nothing" : items.join(", ")),
  add_item: ({ name, amount = 1 }) => {
    items.push(`${amount} ${name}`);
    return text(`${items.length} on the list`);
  },
  clear_list: () => text(`${items.splice(0).length} taken off`),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "items", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": ({ name, arguments: given }) => tools[name](given),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params);
  const answer = result === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
