// Parses the bytes of a plan strictly: it refuses unknown fields anywhere, and checks every limit. The failure lists at
// most eight faults, each with its place.

import { isList, isRecord, type Json, type JsonRecord, recordFrom } from "../../lib/policy/index.ts";
import type { FailureAnswer, RequestCode } from "./answer.ts";
import { Faults, Fields, Text } from "./fields.ts";
import * as limits from "./limits.ts";
import { type Action, type Exec, type Plan, VERSION } from "./plan.ts";

type PlanRead = { readonly ok: true; readonly plan: Plan } | FailureAnswer;

/** Returns the plan, or the failure of the request. Never throws. */
export function readPlan(bytes: Uint8Array): PlanRead {
  if (bytes.length > limits.MOST_REQUEST_BYTES)
    return makeFailedAnswer("request_too_large", `a request has at most ${limits.MOST_REQUEST_BYTES} bytes`);
  const read = recordFrom(bytes, limits.MOST_REQUEST_BYTES);
  if (!read.ok) return makeFailedAnswer("parse_failed", read.reason);
  const faults = new Faults();
  const plan = planIn(read.value, faults);
  return faults.all === undefined ? { ok: true, plan } : { ok: false, ...readIds(read.value), error: faults.all };
}

export function makeFailedAnswer(code: RequestCode, message: string): FailureAnswer {
  return { ok: false, error: { code, message } };
}

const ID = new RegExp(`^[\\w.:-]{1,${limits.MOST_ID}}$`);

/**
 * Returns the valid ids of a refused request, so that the client can assign the answer to its request, and the record names the request.
 */
function readIds({
  request_id: request,
  session_id: session,
}: JsonRecord): Pick<FailureAnswer, "request_id" | "session_id"> {
  return { ...(isId(request) && { request_id: request }), ...(isId(session) && { session_id: session }) };
}

function isId(value: Json | undefined): value is string {
  return typeof value === "string" && ID.test(value);
}

const ENVELOPE = ["request_id", "session_id", "version", "mode", "actions", "confirmation"];

function planIn(record: JsonRecord, faults: Faults): Plan {
  const fields = new Fields(record, "", ENVELOPE, faults);
  const session = fields.readOptional("session_id", (text) => text.checkForm(ID, ID_WORDS));
  const confirmation = record["confirmation"] ?? undefined;
  return {
    request_id: fields.getText("request_id").checkForm(ID, ID_WORDS),
    ...(session !== undefined && { session_id: session }),
    version: fields.getText("version").checkChoice([VERSION]),
    mode: fields.getText("mode").checkChoice(["plan_only", "execute"], "mode_invalid"),
    actions: readActions(record["actions"], faults),
    ...(confirmation !== undefined && { confirmation: readConfirmation(confirmation, faults) }),
  };
}

const ID_WORDS = `an id: at most ${limits.MOST_ID} letters, digits, . : _ -`;

function readConfirmation(value: Json, faults: Faults): { readonly token: string } {
  const fields = new Fields(value, "confirmation", ["token"], faults);
  return { token: fields.getText("token").checkLength(1, limits.MOST_TOKEN) };
}

function readActions(value: Json | undefined, faults: Faults): readonly Action[] {
  const list = value !== undefined && isList(value) ? value : [];
  const fits = list.length > 0 && list.length <= limits.MOST_ACTIONS;
  if (!fits) faults.note("actions", `has to be a list of 1 to ${limits.MOST_ACTIONS} actions`);
  return fits ? list.map((item, index) => readAction(item, `actions[${index}]`, faults)) : [];
}

const TYPES = ["ping", "exec", "read_file", "write_file"] as const;
const REASONED = ["type", "reason", "danger", "recovery"];
const EXEC = [...REASONED, "argv", "cwd", "env", "timeout_sec", "as_root"];

function readAction(value: Json, at: string, faults: Faults): Action {
  const type = isRecord(value) ? TYPES.find((each) => each === value["type"]) : undefined;
  switch (type) {
    case undefined:
      faults.note(`${at}.type`, `has to be ${TYPES.join(" or ")}`);
      return { type: "ping" };
    case "ping":
      new Fields(value, at, ["type"], faults);
      return { type };
    case "exec":
      return readExec(new Fields(value, at, EXEC, faults), faults);
    case "read_file": {
      const fields = new Fields(value, at, [...REASONED, "path", "max_bytes"], faults);
      const path = fields.getText("path").checkName(1, limits.MOST_PATH);
      return { type, path, max_bytes: fields.count("max_bytes", 1, limits.MOST_READ), ...readReasons(fields) };
    }
    case "write_file": {
      const fields = new Fields(value, at, [...REASONED, "path", "content", "mode"], faults);
      const path = fields.getText("path").checkName(1, limits.MOST_PATH);
      const content = fields.getText("content").checkLength(0, limits.MOST_WRITE);
      // Permissions of the owner, the group and others, without set-user-id and the other special bits.
      const mode = Number.parseInt(fields.getText("mode").checkForm(/^0?[0-7]{3}$/, "rights such as 0644"), 8);
      return { type, path, content, mode, ...readReasons(fields) };
    }
  }
}

function readReasons(fields: Fields) {
  const danger = fields.readOptional("danger", (text) => text.checkLength(0, limits.MOST_WORDS));
  const recovery = fields.readOptional("recovery", (text) => text.checkLength(0, limits.MOST_WORDS));
  return {
    reason: fields.getText("reason").checkLength(1, limits.MOST_WORDS),
    ...(danger !== undefined && { danger }),
    ...(recovery !== undefined && { recovery }),
  };
}

function readExec(fields: Fields, faults: Faults): Exec {
  const { as_root: asRoot = false, argv, env } = fields.record;
  if (asRoot !== false) faults.note(fields.getPath("as_root"), "is refused: nothing is run as root");
  const cwd = fields.readOptional("cwd", (text) => text.checkAbsolutePath(limits.MOST_PATH));
  return {
    type: "exec",
    argv: readArgv(argv, fields.getPath("argv"), faults),
    ...(cwd !== undefined && { cwd }),
    env: readEnv(env ?? {}, fields.getPath("env"), faults),
    timeout_sec: fields.count("timeout_sec", 1, limits.MOST_SECONDS),
    ...readReasons(fields),
  };
}

function readArgv(value: Json | undefined, at: string, faults: Faults): Exec["argv"] {
  const list = value !== undefined && isList(value) ? value : [];
  const [program, ...rest] = list;
  if (program === undefined || list.length > limits.MOST_ARGV) {
    faults.note(at, `has to be a list of 1 to ${limits.MOST_ARGV} texts`);
    return [""];
  }
  const makeArgvText = (text: Json, index: number) => new Text(`${at}[${index}]`, text, faults);
  const words: Exec["argv"] = [
    makeArgvText(program, 0).checkAbsolutePath(limits.MOST_ARGV_WORD),
    ...rest.map((text, index) => makeArgvText(text, index + 1).checkName(0, limits.MOST_ARGV_WORD)),
  ];
  const bytes = words.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > limits.MOST_ARGV_BYTES) faults.note(at, `has at most ${limits.MOST_ARGV_BYTES} bytes in all`);
  return words;
}

const VARIABLE = new RegExp(`^[A-Za-z_]\\w{0,${limits.MOST_ENV_NAME - 1}}$`);

function readEnv(value: Json, at: string, faults: Faults): Exec["env"] {
  if (!isRecord(value)) faults.note(at, "has to be an object");
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length > limits.MOST_ENV) {
    faults.note(at, `has at most ${limits.MOST_ENV} variables`);
    return {};
  }
  if (!entries.every(([name]) => VARIABLE.test(name))) faults.note(at, "holds a name that is none of a variable");
  const read = entries.map(([name, text]) => {
    return [name, new Text(`${at}.${name.slice(0, 64)}`, text, faults).checkName(0, limits.MOST_ENV_VALUE)] as const;
  });
  const bytes = read.reduce((sum, [name, text]) => sum + name.length + Buffer.byteLength(text), 0);
  if (bytes > limits.MOST_ENV_BYTES) faults.note(at, `has at most ${limits.MOST_ENV_BYTES} bytes in all`);
  return Object.fromEntries(read);
}
