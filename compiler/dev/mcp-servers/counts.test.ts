import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { countTools, readServers, renderCounts } from "./count.ts";

describe("tool lists of public MCP servers", () => {
  const servers = readServers();

  test("each server has exactly one tool list", () => {
    const lists = readdirSync(new URL("lists/", import.meta.url)).sort();
    expect(lists).toEqual(servers.map(({ name }) => `${name}.tools.json`));
    expect(servers).toHaveLength(12);
  });

  test("the importer keeps as many tools and arguments as the accepted counts state", () => {
    const counts = servers.map(({ name }) => countTools(name));
    expect(renderCounts(counts)).toMatchInlineSnapshot(`
      "server                  tools callable whole
      azure-devops-mcp           40       40    40
      chrome-devtools-mcp        32       32    32
      mcp-atlassian              98       98    98
      mcp-gitlab                118      118   118
      mcp-server-git             12       12    12
      mcp-server-kubernetes      23       23    23
      notion-mcp-server          24       24    24
      playwright-mcp             25       25    25
      server-everything          13       13    13
      server-filesystem          14       14    14
      server-memory               9        9     9
      workspace-mcp             119      119   119
      all                       527      527   527
      "
    `);
  });

  test("at least 98 % of the tools can be called, and at least 95 % can be called with every argument", () => {
    const counts = servers.map(({ name }) => countTools(name));
    const sum = (field: "tools" | "callable" | "whole") => counts.reduce((all, count) => all + count[field], 0);
    expect(sum("callable") / sum("tools")).toBeGreaterThanOrEqual(0.98);
    expect(sum("whole") / sum("tools")).toBeGreaterThanOrEqual(0.95);
  });
});
