// QEMU starts this program for each connection of a machine to the web server of `capc run --web DIR`. The program
// answers one request on standard input and output, and ends. It opens no port of this host.
//
//   node web.ts DIR [OTLP]
//
// OpenTelemetry log records that are posted to an existing path of the folder are appended to the file OTLP, each on a
// line of its own.

import { appendFileSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { isList, isRecord, type Json, parsePathSegments, readJson } from "../../engine/lib/policy/index.ts";
import { type CannedResponse, type ProviderDialect, providerAnswer } from "./model-server.ts";

const TYPES: Readonly<Record<string, string>> = { html: "text/html", json: "application/json", txt: "text/plain" };

interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Returns a file of the folder; if NAME.location exists, a redirect to the address in it. If NAME.authorization exists, only requests with
 * the text in it get the file. The content of NAME.authorization is never served.
 */
export function pageAt(folder: string, path: string, authorization = ""): Page {
  const asked = parsePathSegments(path.split("?", 1)[0] ?? "");
  // On some hosts a name in capitals refers to the same file.
  const segments = asked?.at(-1)?.toLowerCase().endsWith(".authorization") ? undefined : asked;
  const name = segments?.join("/") ?? "";
  const wanted = segments && contentOf(join(folder, `${name}.authorization`));
  if (wanted !== undefined && wanted.toString("utf8").trim() !== authorization) {
    return { status: 401, headers: { "content-type": "text/plain" }, body: "the house does not know you\n" };
  }
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

/** Returns the model provider that answers requests posted to a path, or `undefined` if the folder has none there. */
function providerAt(folder: string, path: string): { dialect: ProviderDialect; rules: string } | undefined {
  const segments = parsePathSegments(path) ?? [];
  for (const dialect of ["openai", "ollama"] as const) {
    const rules = contentOf(join(folder, `${segments.join("/")}.${dialect}.json`));
    if (rules !== undefined) return { dialect, rules: rules.toString("utf8") };
  }
  return undefined;
}

function tell(response: ServerResponse, { status, headers, pieces, neverEnds }: CannedResponse): void {
  response.writeHead(status, { ...headers, connection: "close" });
  for (const piece of pieces) response.write(piece);
  if (!neverEnds) response.end();
}

/** Maximum bytes of a request body that is stored. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Returns the log records of a request's body, each as JSON; none if the body is incomplete or does not contain log
 * records.
 */
export function logRecordsIn(body: string): readonly string[] {
  const read = readJson(body);
  const inside = (value: Json, name: string): readonly Json[] => {
    const list = isRecord(value) ? value[name] : undefined;
    return list !== undefined && isList(list) ? list : [];
  };
  return (read.ok ? inside(read.value, "resourceLogs") : [])
    .flatMap((one) => inside(one, "scopeLogs"))
    .flatMap((one) => inside(one, "logRecords"))
    .map((record) => JSON.stringify(record));
}

function answerOn(connection: Duplex, folder: string, collected: string | undefined): void {
  const server = createServer({ keepAlive: false }, (request, response) => {
    let size = 0;
    const held: Buffer[] = [];
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size <= MOST_BYTES) held.push(piece);
    });
    request.on("end", () => {
      const provider = request.method === "POST" ? providerAt(folder, request.url ?? "/") : undefined;
      if (provider !== undefined) {
        tell(response, providerAnswer(provider.dialect, provider.rules, Buffer.concat(held).toString("utf8")));
        return;
      }
      const { status, headers, body } = pageAt(folder, request.url ?? "/", request.headers.authorization);
      // Records are stored before the response is sent, so the machine never receives a confirmation too early.
      if (collected !== undefined && request.method === "POST" && status === 200 && size <= MOST_BYTES) {
        const records = logRecordsIn(Buffer.concat(held).toString("utf8"));
        if (records.length > 0) appendFileSync(collected, records.map((record) => `${record}\n`).join(""));
      }
      const told = request.method === "POST" ? `${size} bytes came\n` : body;
      response.writeHead(status, { ...headers, connection: "close" }).end(told);
    });
  });
  server.emit("connection", connection);
}

if (process.argv[1] === import.meta.filename) {
  answerOn(Duplex.from({ readable: process.stdin, writable: process.stdout }), process.argv[2] ?? ".", process.argv[3]);
}
