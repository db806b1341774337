// QEMU starts this program for each connection of a machine to its name server. The program answers questions over TCP
// (RFC 7766) on standard input and output, from a file of names. It answers that a name outside of this file does not exist.
//
//   node names.ts FILE

import { readFileSync } from "node:fs";
import { answerTo } from "./answer.ts";
import { type LinkSettings, readLinkSettings } from "./settings.ts";

function serve(settings: LinkSettings): void {
  let held: Buffer = Buffer.alloc(0);
  process.stdin.on("data", (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    for (
      let size = held.length < 2 ? undefined : held.readUInt16BE(0);
      size !== undefined && held.length >= 2 + size;
    ) {
      const answer = answerTo(held.subarray(2, 2 + size), settings);
      if (answer === undefined) process.exit(1);
      process.stdout.write(Buffer.concat([Buffer.of(answer.length >> 8, answer.length & 255), answer]));
      held = held.subarray(2 + size);
      size = held.length < 2 ? undefined : held.readUInt16BE(0);
    }
  });
}

if (process.argv[1] === import.meta.filename) {
  const read = readLinkSettings(readFileSync(process.argv[2] ?? "", "utf8"));
  if ("names" in read) serve(read);
  else process.exit(1);
}
