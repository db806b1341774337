// Implements capc llm-osd, a daemon of this machine that executes action plans within the permissions of a page's session.

import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { resolve } from "node:path";
import { openConversation } from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import { scheduleAfter } from "../../../engine/lib/wire/listen.ts";
import {
  convertAnswer,
  Daemon,
  type Identity,
  MOST_TOKEN,
  readIdentity,
  readPlan,
  readWidePlan,
  servePeer,
} from "../../../engine/outside/osd/index.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { explainRefusal, readText } from "../../host/files.ts";
import { listenAt } from "../../host/unix-socket.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, requireLawful } from "../page.ts";
import { tellOnly } from "../render-findings.ts";
import { openLog } from "./audit-file.ts";
import { closeInherited } from "./inherited.ts";

const refuse = createRefuser("llm-osd");

/** `capc llm-osd FILE` */
export const llmOsd: Command = {
  name: "llm-osd",
  operands: ["FILE"],
  does: "execute action plans on this machine, within the limits of a page",
  details: `Listens at --socket for action plans (engine/outside/osd/README.md). It decides each action by the
page, and executes allowed actions with the rights of its own user. It records each request in
--audit. For the page, starting a program is a call of Processes.start, and access to a file is a
call of Files.read or Files.write. An action behind consent runs only if its plan contains the confirmation token. The
token is the first line of --token-file. Without that option the daemon prints a new token at its start.
capc llmsh is its client. Run the daemon as a user of its own, with only the rights that it needs.
examples/host-actions has a page, plans to try, and a unit for systemd.`,
  options: [
    { name: "socket", value: "PATH", does: "listen at this socket (required)" },
    {
      name: "group",
      value: "GROUP",
      does: "group whose members may connect to the socket (default: only the daemon's user)",
    },
    { name: "audit", value: "FILE", does: "append records to this file (required)" },
    { name: "session", value: "NAME", does: "session of the page to use (default: the boot session)" },
    { name: "token-file", value: "FILE", does: "file with the confirmation token" },
    { name: "dir", value: "DIR", does: "folder to which relative paths in actions refer (default: this folder)" },
    {
      name: "wire",
      value: "FORM",
      choices: ["seed", "upstream"],
      does: "protocol: seed (of seed 5, default) or upstream (of upstream's llm-osd)",
    },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "no effect; the output is always JSON" },
  ],
  run: runDaemon,
};

async function runDaemon(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = ""] = typed.operands;
  const { values } = typed;
  const [socket, audit] = [values.get("socket"), values.get("audit")];
  if (socket === undefined || audit === undefined)
    return refuse(world, 2, "--socket PATH and --audit FILE are needed; see capc llm-osd --help");
  closeInherited();
  if (process.getuid?.() === 0) world.report("capc llm-osd: runs as root, and so does what it executes\n");
  const page = await compilePage(file, world, { purpose: "check", proofs: "demanded" });
  if (page.kind === "unreadable") return refuse(world, 3, page.reason);
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  const { policy } = requireLawful(page.compiled);
  const session = values.get("session") ?? policy.image.boot;
  const tables = indexPolicyTables(policy);
  const conversation = openConversation(tables, session);
  if (conversation === undefined) return refuse(world, 2, `there is no session ${escapeInvisible(session)}`);
  const folder = resolveFolder(resolve(world.folder, values.get("dir") ?? "."));
  if (!folder.ok) return refuse(world, 3, folder.reason);
  const token = readToken(values.get("token-file"), world.folder);
  if (!token.ok) return refuse(world, 3, token.reason);
  const log = await openLog(resolve(world.folder, audit), world);
  if (!log.ok) return refuse(world, 3, log.reason);
  const own = readIdentities([file, audit, values.get("token-file")], world);
  const isUpstream = values.get("wire") === "upstream";
  const read = isUpstream ? readWidePlan : readPlan;
  const parts = { tables, conversation, token: token.value, audit: log.value.audit, folder: folder.value, own, read };
  const daemon = new Daemon(parts);
  const answer = async (request: Parameters<typeof daemon.answer>[0], gone: AbortSignal) => {
    const told = await daemon.answer(request, gone);
    return isUpstream ? convertAnswer(told) : told;
  };
  const serve = (peer: Socket) => void servePeer(peer, answer, scheduleAfter);
  const path = resolve(world.folder, socket);
  const reportReady = () => {
    if (!values.has("token-file")) world.report(`capc llm-osd: the confirmation token is ${token.value}\n`);
    world.report(`capc llm-osd: listens at ${path}\n`);
  };
  const ended = await listenAt(path, serve, {
    stop: world.interrupted,
    ready: reportReady,
    group: values.get("group"),
  });
  // Requests may still be running when the daemon receives the signal to stop. The log must contain them too.
  await daemon.settle();
  await log.value.close();
  return ended.ok ? 0 : refuse(world, 3, ended.reason);
}

/** Returns the path with all links resolved, because files are compared by that path. */
function resolveFolder(path: string): Result<string> {
  try {
    return { ok: true, value: realpathSync(path) };
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  }
}

function readIdentities(files: readonly (string | undefined)[], world: World): readonly Identity[] {
  return files.flatMap((file) => (file === undefined ? [] : readIdentity(resolve(world.folder, file))));
}

/** Reads the token from the file, or creates a token if no file is given. */
function readToken(file: string | undefined, folder: string): Result<string> {
  if (file === undefined) return { ok: true, value: randomBytes(16).toString("base64url") };
  const read = readText(resolve(folder, file));
  if (!read.ok) return read;
  const [token = ""] = read.value.split(/\r?\n/);
  return token.length >= LEAST_TOKEN && Buffer.byteLength(token) <= MOST_TOKEN
    ? { ok: true, value: token }
    : { ok: false, reason: `${file} begins with no token of ${LEAST_TOKEN} to ${MOST_TOKEN} characters` };
}

const LEAST_TOKEN = 12;
