// What QEMU starts for each connection that a machine makes to the web server of `capc run --web DIR`: it answers one
// request on standard input and output, and ends. Nothing listens on this host.
//
//   node web.ts DIR

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { pathSegments } from "../../../engine/policy/index.ts";

const TYPES: Readonly<Record<string, string>> = { html: "text/html", json: "application/json", txt: "text/plain" };

interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A file of the folder; where there is NAME.location, a redirect to what stands in it. */
export function pageAt(folder: string, path: string): Page {
  const segments = pathSegments(path.split("?", 1)[0] ?? "");
  const name = segments?.join("/") ?? "";
  const bytes = segments && contentOf(join(folder, name));
  if (bytes !== undefined) {
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return { status: 200, headers: { "content-type": type }, body: bytes };
  }
  const location =
    segments &&
    contentOf(join(folder, `${name}.location`))
      ?.toString("utf8")
      .trim();
  if (location !== undefined) return { status: 302, headers: { location }, body: "" };
  return { status: 404, headers: { "content-type": "text/plain" }, body: "there is no such page\n" };
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function answerOn(connection: Duplex, folder: string): void {
  const server = createServer({ keepAlive: false }, (request, response) => {
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
    });
    request.on("end", () => {
      const { status, headers, body } = pageAt(folder, request.url ?? "/");
      const told = request.method === "POST" ? `${size} bytes came\n` : body;
      response.writeHead(status, { ...headers, connection: "close" }).end(told);
    });
  });
  server.emit("connection", connection);
}

if (process.argv[1] === import.meta.filename) {
  answerOn(Duplex.from({ readable: process.stdin, writable: process.stdout }), process.argv[2] ?? ".");
}
