// Joins standard input and output to one stream. Ending the joined stream stops the reading, but leaves standard output
// open, because this process still uses it. If an error ends the stream, the stream emits that error.

import { Duplex, type Readable, type Writable } from "node:stream";

export function joinStreams(input: Readable, output: Writable): Duplex {
  const stream = new Duplex({
    read: () => void input.resume(),
    write: (chunk, _, done) => void output.write(chunk, done),
    destroy: (error, done) => {
      input.destroy();
      done(error);
    },
  });
  input.on("data", (chunk) => {
    if (!stream.push(chunk)) input.pause();
  });
  input.once("end", () => void stream.push(null));
  input.once("error", (error) => void stream.destroy(error));
  return stream;
}
