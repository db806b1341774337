// QEMU starts this program for each connection of a machine to the web server of `capc run --web DIR`. The program
// answers one request on standard input and output, and ends. It opens no port of this host.
//
//   node web.ts DIR [OTLP]
//
// OpenTelemetry log records that are posted to an existing path of the folder are appended to the file OTLP, each on a
// line of its own.

import { Duplex } from "node:stream";
import { answerOn } from "./served-folder.ts";

answerOn(Duplex.from({ readable: process.stdin, writable: process.stdout }), process.argv[2] ?? ".", process.argv[3]);
