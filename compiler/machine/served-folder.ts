// Answers requests of the web from the files of a folder, for `capc run --web` and `capc try --web`.

import { appendFileSync, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { isList, isRecord, type Json, parsePathSegments, readJson } from "../../engine/lib/policy/index.ts";
import { type CannedResponse, type ProviderDialect, providerAnswer } from "./model-server.ts";

/** Maximum bytes of a file that is served, and of a request body that is stored. */
const MOST_BYTES = 4 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = { html: "text/html", json: "application/json", txt: "text/plain" };

interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Returns the answer to a path: the file NAME of the folder, with the names that `wget -x` gives to files. A path that ends with a slash
 * is its `index.html`. NAME may contain a character as the request escapes it (`%20`) or unescaped. If the path has a query, `NAME?QUERY`
 * is preferred to NAME. Other files beside NAME change the answer:
 *
 * - NAME.location: if NAME is missing, the answer is a redirect to the address in this file;
 * - NAME.status: the status code of the answer, instead of 200 or 302;
 * - NAME.authorization: only requests whose Authorization header equals the text of this file get NAME. The file NAME.authorization is never served.
 */
export function pageAt(folder: string, path: string, authorization = ""): Page {
  const { files, queries } = listNames(path);
  const names = files.map((file) => join(folder, file));
  const guards = names.map((name) => readText(`${name}.authorization`)).filter((wanted) => wanted !== undefined);
  if (guards.some((wanted) => wanted !== authorization)) return createText(401, "the house does not know you\n");
  const asked = names.flatMap((name) => queries.map((query) => [`${name}?${query}`, name] as const));
  for (const [file, named] of [...asked, ...names.map((name) => [name, name] as const)]) {
    const page = findPage(file, named);
    if (page !== undefined) return page;
  }
  return NOT_FOUND;
}

/**
 * Returns the names that a file and a query may have: as they are requested, and with the characters that `%XX` stands for. Returns no file
 * for a path that leads out of the folder, or to a file `NAME.authorization`.
 */
function listNames(path: string): { readonly files: readonly string[]; readonly queries: readonly string[] } {
  const [text = "", ...rest] = path.split("?");
  const whole = text.endsWith("/") ? `${text}index.html` : text;
  const segments = parsePathSegments(whole) ?? [];
  const decoded = segments.map((segment) => decodeName(segment) ?? segment);
  // On some hosts `X.AUTHORIZATION` is the same file as `X.authorization`, so the ending is compared in lower case.
  const isHidden = decoded.at(-1)?.toLowerCase().endsWith(".authorization") ?? true;
  const query = rest.join("?");
  return {
    files: isHidden ? [] : [...new Set([segments.join("/"), decoded.join("/")])],
    queries: rest.length === 0 ? [] : [...new Set([query.replaceAll("/", "%2F"), decodeName(query) ?? query])],
  };
}

/**
 * Decodes `%XX` in the name of a file, except for a slash. Returns `undefined` if the result cannot name a file in the folder, such as
 * `..`.
 */
function decodeName(text: string): string | undefined {
  try {
    const name = decodeURIComponent(text).replaceAll("/", "%2F");
    return name === "." || name === ".." || name.includes("\0") ? undefined : name;
  } catch {
    return undefined;
  }
}

/**
 * Returns the answer that a file and the files beside it (`.location`, `.status`) define, or `undefined` if none of
 * them exists. The ending of `named` decides the type of the content.
 */
function findPage(file: string, named: string): Page | undefined {
  const bytes = contentOf(file);
  const location = bytes === undefined ? readText(`${file}.location`) : undefined;
  const written = readText(`${file}.status`);
  if (bytes === undefined && location === undefined && written === undefined) return undefined;
  if (bytes !== undefined && bytes.length > MOST_BYTES)
    return createText(500, `the file of this page is larger than ${MOST_BYTES} bytes\n`);
  if (written !== undefined && !/^[2-5]\d\d$/.test(written))
    return createText(500, "the file .status of this page contains no status code from 200 to 599\n");
  const status = written === undefined ? (location === undefined ? 200 : 302) : Number(written);
  if (location !== undefined) return { status, headers: { location }, body: "" };
  const type = TYPES[named.slice(named.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  return { status, headers: { "content-type": type }, body: bytes ?? "" };
}

function createText(status: number, body: string): Page {
  return { status, headers: { "content-type": "text/plain" }, body };
}

const NOT_FOUND = createText(404, "there is no such page\n");

function readText(path: string): string | undefined {
  return contentOf(path)?.toString("utf8").trim();
}

/** Returns the content of a file, but at most one byte more than the maximum; `undefined` for anything that is not a file. */
function contentOf(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    // If the path is a named pipe, opening it without O_NONBLOCK would wait until another process opens it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, MOST_BYTES + 1));
    let read = 0;
    for (;;) {
      const count = readSync(file, bytes, read, bytes.length - read, null);
      read += count;
      if (count === 0 || read === bytes.length) return bytes.subarray(0, read);
    }
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
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

/** Answers one request of a connection from the files of a folder. Log records that are posted are stored in `collected`. */
export function answerOn(connection: Duplex, folder: string, collected: string | undefined): void {
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
