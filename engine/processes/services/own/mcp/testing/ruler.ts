// A server as operators write them, with the protocol's own SDK. This server is bundled into one file before it runs.

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "ruler", version: "1.0.0" });

server.registerTool(
  "double",
  { description: "Twice a length.", inputSchema: { length: z.number().max(1000) } },
  ({ length }) => {
    if (length < 0) throw new Error("a length is not below nothing");
    return { content: [{ type: "text", text: String(length * 2) }] };
  },
);
server.registerTool(
  "half",
  { inputSchema: { length: z.number() }, outputSchema: { length: z.number() } },
  ({ length }) => ({ content: [], structuredContent: { length: length / 2 } }),
);

await server.connect(new StdioServerTransport());
