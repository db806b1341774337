// A server of the Model Context Protocol that writes on its standard output whatever comes to its mind.

import { createInterface } from "node:readline";

const tool = (name, description) => ({ name, description, inputSchema: { type: "object", properties: {} } });
const TOOLS = [tool("draw", "Draw a picture."), tool("greet", "Say hello.")];
/** Of a picture in base64. */
const PICTURE_BYTES = 2 * 1024 * 1024;

const told = {
  draw: () => ({ type: "image", mimeType: "image/png", data: "A".repeat(PICTURE_BYTES) }),
  greet: () => ({ type: "text", text: "hello" }),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "sloppy", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": ({ name }) => ({ content: [told[name]()] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  console.log(`[info] ${method} was asked for`);
  process.stdout.write("\n");
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) })}\n`);
});
