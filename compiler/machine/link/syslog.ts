// QEMU starts this program for each connection of a machine to its syslog collector. The program appends each complete
// message to a file, on a line of its own, before the connection is closed. On the connection, the length of each message
// comes before it (RFC 6587). Incomplete messages are dropped.
//
//   node syslog.ts FILE
//
// No other program may import this file. If it did, a bundle of that program would contain both programs under one
// path, and the code below could not recognize which of them was started.

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
