// `node compiler/dev/mcp-servers/main.ts [losses]`: what the importer keeps of the twelve lists; with `losses`, what is lost, a line each.

import { countTools, readServers, renderCounts } from "./count.ts";

const counts = readServers().map(({ name }) => countTools(name));
process.stdout.write(renderCounts(counts));
if (process.argv[2] === "losses")
  for (const { server, tool, argument = "-", reason } of counts.flatMap(({ losses }) => losses))
    process.stdout.write(`${server}\t${tool}\t${argument}\t${reason}\n`);
