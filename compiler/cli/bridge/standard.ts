// Joins standard input and output to one stream. If the stream is destroyed, only standard input is closed: standard
// output belongs to this process. If reading standard input fails, the stream reports the error.

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
