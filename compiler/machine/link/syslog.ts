// What QEMU starts for each connection that a machine makes to its collector of syslog: whole messages with a length before each
// (RFC 6587) are put at the end of a file, a line each, before the connection is closed. Half a message is none.
//
//   node syslog.ts FILE
//
// No other program takes anything from here: in the bundle it would become a part of both, and this one would not know itself.

import { appendFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";

/** The messages of a connection, up to what is none. */
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
