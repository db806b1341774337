// `node compiler/dev/mcp-servers/main.ts [losses]` prints how much the importer retains of the twelve lists; with
// `losses`, it also prints each loss on a line.

import { countTools, readServers, renderCounts } from "./count.ts";

const counts = readServers().map(({ name }) => countTools(name));
process.stdout.write(renderCounts(counts));
if (process.argv[2] === "losses")
  for (const { server, tool, argument = "-", reason } of counts.flatMap(({ losses }) => losses))
    process.stdout.write(`${server}\t${tool}\t${argument}\t${reason}\n`);
