// QEMU starts this program for each connection of a machine to its syslog collector. Each message is sent after its
// length (RFC 6587). The program appends complete messages to a file, one a line, before it closes the connection.
// Incomplete messages are dropped. Usage: `node syslog.ts FILE`.
//
// No other program may import this file: the bundler would move it into a shared file. It could then not detect that it
// was started as a program.

import { appendFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";

/** Returns the messages of a connection, up to the first malformed one. */
export function messagesIn(text: string): readonly string[] {
  const messages: string[] = [];
  for (let at = 0; ; ) {
    const [head = "", size = ""] = /^([1-9]\d{0,5}) /.exec(text.slice(at, at + 7)) ?? [];
    const end = at + head.length + Number(size);
    if (head === "" || end > text.length) return messages;
    messages.push(text.slice(at + head.length, end));
    at = end;
  }
}

if (process.argv[1] === import.meta.filename) {
  const told = messagesIn((await buffer(process.stdin)).toString("latin1"));
  appendFileSync(process.argv[2] ?? "", told.map((message) => `${message}\n`).join(""));
}
