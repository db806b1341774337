// `node compiler/dev/places/testing/derived.ts ROLE` prints, as JSON, the values that a checkout derives from the row
// of an existing role. It compiles two small pages: one has a service with the role's name, the other a service of the
// kind Scratch with the name `paper`.

import { renderAttemptTable } from "../../../../engine/image/init/jail-table.ts";
import { bundle } from "../../../../engine/image/rootfs/bundle.ts";
import { isRole, NODE_ROLES, RESERVED_NAMES } from "../../../../engine/lib/roles/index.ts";
import { planProcesses } from "../../../../targets/manifest/processes.ts";
import { startOf } from "../../../../targets/manifest/roles.ts";
import { proveStructure } from "../../../../targets/manifest/structure.ts";
import { compile } from "../../../compile.ts";
import { computeNeeds } from "../../../phases/policy/index.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { findKind } from "../../../queries/report/views/processes.ts";

async function compilePage(service: string) {
  const page = `system small version "0.1.0" {
  use std.tools
  use std.profiles
  storage { disk "small" }
  service ${service} : Scratch { state 1 MiB }
  backend canned { stub "replies.json"  clearance public }
  session guest from profiles.guest { models { auto canned }  permit { auto readOnly }  quota { 1 readOnly per turn } }
  image { target linux  machine vm  boot guest }
}
`;
  return await compile(createMemoryHost({ "/system.cap": page, "/replies.json": "[]" }), "/system.cap");
}

async function derive(role: string) {
  if (!isRole(role)) throw new Error(`the table has no role ${role}`);
  const programs = await bundle(
    process.cwd(),
    NODE_ROLES.filter(({ name }) => name === role),
  );
  const { restart, memoryMaxBytes, arguments: words } = startOf(role);
  const { diagnostics } = await compilePage(role);
  const { policy, origins, diagnostics: wrong } = await compilePage("paper");
  if (policy === undefined || origins === undefined) throw new Error(wrong.map(({ message }) => message).join("; "));
  const processes = planProcesses(policy, origins);
  const answering = processes.find(({ name }) => name === "paper");
  const counted = computeNeeds(policy).processes.find(({ name }) => name === "paper");
  return {
    bundled: [...programs].map(([name, bytes]) => [name, bytes.length > 0]),
    restart: restart.most,
    memory: Number(memoryMaxBytes),
    program: words.at(-1),
    isReserved: RESERVED_NAMES.has(role),
    refused: diagnostics.map(({ code }) => code),
    kind: findKind(role),
    hasColumn: renderAttemptTable().split("\n")[0]?.includes(`| ${role} |`),
    started: answering && [answering.role, answering.arguments.at(-3), answering.arguments.at(-1), answering.files],
    counted: counted && [counted.role, counted.memoryBytes],
    broken: proveStructure(processes).flatMap(({ broken }) => broken),
  };
}

process.stdout.write(JSON.stringify(await derive(process.argv[2] ?? "")));
