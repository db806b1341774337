// Writes a page of many tools. Each service has four tools. Each session has lines about categories, and a line about
// every tenth service.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Methods of the interface `Files`. */
export const METHODS = ["delete", "list", "read", "write"] as const;
/** Number of services in one file. These services take 0.7 MiB; the maximum of a page is 1 MiB. */
const SERVICES_PER_FILE = 10_000;
const LABELS = ["public", "internal", "secret", "secret:{finance}"] as const;
const ASKED = ["consent", "stepUp", "forbidden"] as const;
/** Valid public key without a private half. */
const KEY = `ssh-ed25519 ${Buffer.concat([addLength("ssh-ed25519"), addLength("x".repeat(32))]).toString("base64")}`;

/** Rule of one session about writing to one service. */
export interface NamedLine {
  readonly mode: (typeof ASKED)[number];
  readonly service: string;
}

/** Returns the names of the services, one service for each four tools. */
export function listServices(tools: number): string[] {
  return Array.from({ length: Math.ceil(tools / METHODS.length) }, (_, index) => `s${index}`);
}

/** Returns the lines of a session that name a service. The other lines of the session name categories. */
export function listNamedLines(tools: number, session: number): NamedLine[] {
  const services = listServices(tools);
  const named = services.filter((_, index) => index % 10 === session % 10);
  return named.map((service, index) => ({ mode: ASKED[(index + session) % ASKED.length] ?? "consent", service }));
}

/** Writes the page and its other files below `folder`, and returns its path. */
export function writeLargePage(folder: string, tools: number, sessions: number): string {
  const opened = Array.from({ length: sessions }, (_, session) =>
    renderSession(session, renderNamedLines(tools, session)),
  );
  return writeSystem(folder, tools, opened);
}

/**
 * Returns the lines of a session about the methods of one service; `index` is the position of the service on the page.
 */
type LineRenderer = (service: string, index: number) => string[];

/** Writes a page on which every tool has a line with conditions in one of the sessions. Returns its path. */
export function writeConditionalPage(folder: string, tools: number, sessions: number): string {
  return writeLinedPage(folder, { tools, sessions, render: renderConditionalLines });
}

/**
 * Writes a page with `conditions` conditions: one line for each tool, and four conditions in each line. Returns its
 * path.
 */
export function writeDensePage(folder: string, conditions: number, sessions: number): string {
  return writeLinedPage(folder, { tools: conditions / 4, sessions, render: renderDenseLines });
}

interface LinedPage {
  readonly tools: number;
  readonly sessions: number;
  readonly render: LineRenderer;
}

/**
 * Writes a page on which the services are divided among the sessions: the lines about one service are all in one
 * session.
 */
function writeLinedPage(folder: string, { tools, sessions, render }: LinedPage): string {
  const opened = Array.from({ length: sessions }, (_, session) => {
    const lines = listServices(tools).flatMap((service, index) =>
      index % sessions === session ? render(service, index) : [],
    );
    return renderSession(session, lines);
  });
  return writeSystem(folder, tools, opened);
}

function writeSystem(folder: string, tools: number, opened: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const declared = listServices(tools).map((name, index) => {
    return `service ${name} : Files { label ${LABELS[index % LABELS.length]}/reviewed  state 4 KiB }\n`;
  });
  const files: string[] = [];
  for (let from = 0; from < declared.length; from += SERVICES_PER_FILE) {
    const name = `services-${files.length}.cap`;
    writeFileSync(join(folder, name), declared.slice(from, from + SERVICES_PER_FILE).join(""));
    files.push(name);
  }
  writeFileSync(join(folder, "alice.pub"), `${KEY} alice\n`);
  writeFileSync(join(folder, "replies.json"), "[]\n");
  const page = join(folder, "system.cap");
  writeFileSync(page, renderSystem(files, opened));
  return page;
}

function renderSystem(files: readonly string[], sessions: readonly string[]): string {
  return `system large version "1.0.0" {
  use std.tools
${files.map((name) => `  use "./${name}"\n`).join("")}
  confidentiality { public < internal < secret }
  integrity       { untrusted < reviewed < system }
  compartments    { finance, hr }

  principal alice { ssh "alice.pub" }
  backend canned { stub "replies.json"  clearance secret:{finance, hr} }

${sessions.join("\n")}
  storage { disk "capos-data" }
  image   { target linux  machine vm  firmware bios  memory 64 GiB  boot session0 }
}
`;
}

function renderNamedLines(tools: number, session: number): string[] {
  return listNamedLines(tools, session).map(({ mode, service }) => `      ${mode} ${service}.write\n`);
}

/** Number of folders that conditions name, such as one folder for each department. For each folder there are conditions of every form. */
const FOLDERS = 100;

/** Returns a line with a condition for each method of a service. */
function renderConditionalLines(service: string, index: number): string[] {
  const at = index % FOLDERS;
  const folder = `path under "/f${at}"`;
  const reading = [folder, `${folder} and from <= 1000`, `to < ${at + 2}`, `size(path) <= ${at + 8}`];
  const writing = [
    folder,
    `${folder} and size(content) <= ${(at % 60) + 1} KiB`,
    `content startsWith "draft ${at}"`,
    `content in ["done", "open", "late ${at}"]`,
    `content matches "INV-${at}-####*"`,
  ];
  const other = `${folder} and size(path) <= 200`;
  const conditions = { delete: other, list: folder, read: choose(reading, index), write: choose(writing, index) };
  return METHODS.map((method, number) => {
    const mode = choose(GATED, index + number);
    return `      ${mode} ${service}.${method} where ${conditions[method]} else forbidden\n`;
  });
}

/** Returns a line with four conditions for each method of a service. */
function renderDenseLines(service: string, index: number): string[] {
  const at = index % FOLDERS;
  const folder = `path under "/f${at}"`;
  const sizes = `size(path) <= ${at + 100} and size(path) >= 3 and size(path) != 7`;
  const conditions = {
    delete: `${folder} and ${sizes}`,
    list: `${folder} and ${sizes}`,
    read: `${folder} and from >= 1 and from <= 1000 and to < ${at + 2000}`,
    write: `${folder} and size(content) <= ${(at % 60) + 1} KiB and content startsWith "draft ${at}" and size(path) <= 200`,
  };
  return METHODS.map((method, number) => {
    const mode = choose(GATED, index + number);
    return `      ${mode} ${service}.${method} where ${conditions[method]} else forbidden\n`;
  });
}

const GATED = ["auto", "consent", "stepUp"] as const;

function choose(values: readonly string[], index: number): string {
  return values[index % values.length] ?? "";
}

function renderSession(session: number, lines: readonly string[]): string {
  return `  session session${session} {
    kind operator
    principals alice
    clearance secret:{finance}
    models { auto canned }
    permit {
      auto      readOnly
      consent   mutatingLocal
      forbidden destructive
${lines.join("")}    }
    quota   { 40 calls per turn }
    timeout { 5 s per call }
  }
`;
}

function addLength(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
}
