import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { countTools, readServers, renderCounts } from "./count.ts";

describe("tool lists of public MCP servers", () => {
  const servers = readServers();

  test("there is one list for each server that is named", () => {
    const lists = readdirSync(new URL("lists/", import.meta.url)).sort();
    expect(lists).toEqual(servers.map(({ name }) => `${name}.tools.json`));
    expect(servers).toHaveLength(12);
  });

  test("what the importer keeps of each is what was kept before", () => {
    const counts = servers.map(({ name }) => countTools(name));
    expect(renderCounts(counts)).toMatchInlineSnapshot(`
      "server                  tools callable whole
      azure-devops-mcp           40       40    35
      chrome-devtools-mcp        32       32    32
      mcp-atlassian              98       97    97
      mcp-gitlab                118      118   118
      mcp-server-git             12       12    12
      mcp-server-kubernetes      23       23    19
      notion-mcp-server          24       19    13
      playwright-mcp             25       25    24
      server-everything          13       13    13
      server-filesystem          14       13    13
      server-memory               9        9     9
      workspace-mcp             119      113   102
      all                       527      514   487
      "
    `);
  });
});
