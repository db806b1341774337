// Writes a page of many tools: services of four tools each, and sessions that name methods by category and every tenth service by name.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Methods of the interface `Files`. */
export const METHODS = ["delete", "list", "read", "write"] as const;
/** Number of services in one file. They make 0.7 MiB; the maximum of a page is 1 MiB. */
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

/** Returns the names, with one service for each four tools. */
export function listServices(tools: number): string[] {
  return Array.from({ length: Math.ceil(tools / METHODS.length) }, (_, index) => `s${index}`);
}

/** Returns the lines of a session beside those about categories. */
export function listNamedLines(tools: number, session: number): NamedLine[] {
  const services = listServices(tools);
  const named = services.filter((_, index) => index % 10 === session % 10);
  return named.map((service, index) => ({ mode: ASKED[(index + session) % ASKED.length] ?? "consent", service }));
}

/** Writes the page and its other files below `folder`, and returns its path. */
export function writeLargePage(folder: string, tools: number, sessions: number): string {
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
  const opened = Array.from({ length: sessions }, (_, session) => renderSession(tools, session));
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

function renderSession(tools: number, session: number): string {
  const lines = listNamedLines(tools, session).map(({ mode, service }) => `      ${mode} ${service}.write\n`);
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
