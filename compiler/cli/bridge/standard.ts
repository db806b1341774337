// Joins standard input and output to one stream. Ending the stream only ends the reading, because standard output belongs to this
// process. If an error ends the stream, the error is reported.

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
