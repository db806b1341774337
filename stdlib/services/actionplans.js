// Made of engine/outside/osd/module.ts by engine/outside/osd/bundle.ts, and of what that imports. Changes are made there.

// engine/lib/result/result.ts
function accept(value) {
  return { ok: true, value };
}
function refuse(reason) {
  return { ok: false, reason };
}

// engine/lib/policy/place.ts
function parsePathSegments(path) {
  if (path.includes("\0")) return void 0;
  const segments = [];
  for (const segment of path.split("/")) {
    if (segment === "..") return void 0;
    if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}
function isUnder(segments, directory) {
  return directory.every((segment, index) => segments[index] === segment);
}

// engine/lib/policy/json-reader.ts
var MAX_JSON_BYTES = 512 * 1024;
var MAX_JSON_DEPTH = 32;
var NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
var PLAIN = /[^"\\\u0000-\u001f]*/y;
var SPECIAL = /[\\\u0000-\u001f\ud800-\udfff]/;
var MARK = {
  quote: 34,
  comma: 44,
  colon: 58,
  openList: 91,
  closeList: 93,
  openRecord: 123,
  closeRecord: 125,
  t: 116,
  f: 102,
  n: 110
};
var PUNCTUATION_OR_WORD = /[,:]|true|false|null|-?[0-9][0-9.eE+-]*/y;
var HALF = "a text holds a lone surrogate";
var UNCLOSED = "a text is not closed or holds a control character";
var ESCAPES = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "	"
};
function readJson(text, most = MAX_JSON_BYTES) {
  return readIn("strict", text, most);
}
function readIn(manner, text, most) {
  const read = readAs(manner, text, most);
  return read.ok ? accept(read.value.value) : read;
}
function readAs(manner, text, most) {
  if (text.length * 3 > most && Buffer.byteLength(text) > most) return refuse(`longer than ${most} bytes`);
  const isPlain = !SPECIAL.test(text);
  if (manner === "strict" && !isPlain && !text.isWellFormed()) return refuse("holds a lone surrogate");
  const reader = new Reader(text, isPlain ? "plain" : "escaped", manner);
  const value = reader.readWhole();
  if (value === void 0) return refuse(`${reader.complaint} at character ${reader.complaintAt + 1}`);
  return accept({ value, isCanonical: reader.isCanonical });
}
var MAX_TOLERATED_DEPTH = 512;
var ODDITIES = /* @__PURE__ */ new WeakMap();
var BareRecord = class {
};
Object.setPrototypeOf(BareRecord.prototype, null);
Reflect.deleteProperty(BareRecord.prototype, "constructor");
Object.freeze(BareRecord.prototype);
function checkName(name, use, form) {
  if (name === "__proto__") return "the name __proto__ is not accepted";
  if (use === "repeated") return "the same name stands twice";
  return form === "plain" || name.isWellFormed() ? void 0 : HALF;
}
var Reader = class {
  complaint = "";
  complaintAt = 0;
  /** Whether the text so far is written as RFC 8785 demands. A text with an escape counts as not canonical, which costs a little time. */
  isCanonical = true;
  text;
  /** Whether the text has no escape, control character or surrogate: each JSON text then ends at the next quotation mark. */
  isPlain;
  manner;
  at = 0;
  constructor(text, form, manner) {
    this.text = text;
    this.isPlain = form === "plain";
    this.manner = manner;
  }
  readWhole() {
    const value = this.value(1);
    if (value === void 0) return void 0;
    return Number.isNaN(this.peekNext()) ? value : this.refuse("something follows the value");
  }
  value(depth) {
    if (depth > MAX_JSON_DEPTH && (this.manner !== "tolerant" || depth > MAX_TOLERATED_DEPTH))
      return this.handleTooDeep();
    switch (this.peekNext()) {
      case MARK.openRecord:
        return this.record(depth);
      case MARK.openList:
        return this.list(depth);
      case MARK.quote:
        return this.readWellFormed();
      case MARK.t:
        return this.readWord("true", true);
      case MARK.f:
        return this.readWord("false", false);
      case MARK.n:
        return this.readWord("null", null);
      default:
        return this.number();
    }
  }
  record(depth) {
    const record = new BareRecord();
    const opened = this.at;
    let oddity;
    let before;
    let ascends = true;
    this.at += 1;
    if (this.take(MARK.closeRecord)) return record;
    do {
      if (this.peekNext() !== MARK.quote) return this.refuse("a name in quotes is expected");
      const start = this.at;
      const name = this.readString();
      if (name === void 0) return void 0;
      if (before !== void 0 && !(before < name)) ascends = false;
      const fault = checkName(
        name,
        !ascends && name in record ? "repeated" : "new",
        this.isPlain ? "plain" : "escaped"
      );
      if (fault !== void 0 && this.manner !== "tolerant") return this.refuse(fault, start);
      oddity ??= fault;
      before = name;
      if (!this.expect(MARK.colon)) return void 0;
      const value = this.value(depth + 1);
      if (value === void 0) return void 0;
      record[name] = value;
    } while (this.take(MARK.comma));
    if (!ascends) this.isCanonical = false;
    if (!this.expect(MARK.closeRecord)) return void 0;
    return oddity === void 0 ? record : this.keepOddity(oddity, opened);
  }
  list(depth) {
    const list = [];
    this.at += 1;
    if (this.take(MARK.closeList)) return list;
    do {
      const value = this.value(depth + 1);
      if (value === void 0) return void 0;
      list.push(value);
    } while (this.take(MARK.comma));
    return this.expect(MARK.closeList) ? list : void 0;
  }
  readString() {
    if (this.isPlain) return this.readPlainString();
    this.isCanonical = false;
    const start = this.at;
    const parts = [];
    this.at += 1;
    for (; ; ) {
      parts.push(this.match(PLAIN) ?? "");
      const mark = this.text[this.at];
      if (mark === '"') break;
      const escaped = mark === "\\" ? this.escape() : this.refuse(UNCLOSED);
      if (escaped === void 0) return void 0;
      parts.push(escaped);
    }
    this.at += 1;
    const text = parts.join("");
    return this.manner !== "strict" || text.isWellFormed() ? text : this.refuse(HALF, start);
  }
  readWellFormed() {
    const start = this.at;
    const text = this.readString();
    if (this.manner !== "tolerant" || text === void 0 || this.isPlain || text.isWellFormed()) return text;
    return this.keepOddity(HALF, start);
  }
  readPlainString() {
    const end = this.text.indexOf('"', this.at + 1);
    if (end === -1) {
      this.at = this.text.length;
      return this.refuse(UNCLOSED);
    }
    const text = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }
  escape() {
    const letter = this.text[this.at + 1] ?? "";
    const hex = this.text.slice(this.at + 2, this.at + 6);
    if (letter === "u" && /^[0-9a-fA-F]{4}$/.test(hex)) {
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : void 0;
    if (plain === void 0) return this.refuse("an escape is not known");
    this.at += 2;
    return plain;
  }
  number() {
    const start = this.at;
    const digits = this.match(NUMBER);
    if (digits === void 0) return this.refuse("a value is expected");
    const value = Number(digits);
    if (String(value) !== digits) this.isCanonical = false;
    if (this.manner === "carrier" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      return Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE));
    }
    if (!Number.isFinite(value)) return this.keepOddity("a number is too large", start);
    const exact = !Number.isInteger(value) || Number.isSafeInteger(value);
    if (value === 0) return 0;
    return exact ? value : this.keepOddity("an integer is beyond 2^53 - 1 and must travel as text", start);
  }
  /** Refuses the part that begins at `start`, or keeps its source. */
  keepOddity(reason, start) {
    if (this.manner !== "tolerant") return this.refuse(reason, start);
    const kept = new BareRecord();
    ODDITIES.set(kept, { source: this.text.slice(start, this.at), reason });
    return kept;
  }
  handleTooDeep() {
    const start = this.at;
    const most = this.manner === "tolerant" ? MAX_TOLERATED_DEPTH : MAX_JSON_DEPTH;
    const reason = `deeper than ${most} levels`;
    if (this.manner !== "tolerant") return this.refuse(reason);
    if (!this.skip()) return this.refuse("a value is expected", start);
    return this.keepOddity(reason, start);
  }
  /** Skips one value of any depth; returns false if the text ends before that. */
  skip() {
    let open = 0;
    do {
      const code = this.peekNext();
      if (code === MARK.quote) {
        if (this.readString() === void 0) return false;
      } else if (code === MARK.openList || code === MARK.openRecord) {
        open += 1;
        this.at += 1;
      } else if (code === MARK.closeList || code === MARK.closeRecord) {
        open -= 1;
        this.at += 1;
      } else if (this.match(PUNCTUATION_OR_WORD) === void 0) return false;
    } while (open > 0);
    return open === 0;
  }
  readWord(word, value) {
    if (!this.text.startsWith(word, this.at)) return this.refuse("a value is expected");
    this.at += word.length;
    return value;
  }
  /** Returns the code of the next character that is not blank, without taking it; NaN at the end. */
  peekNext() {
    let code = this.text.charCodeAt(this.at);
    while (code <= 32) {
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code;
      this.isCanonical = false;
      this.at += 1;
      code = this.text.charCodeAt(this.at);
    }
    return code;
  }
  take(code) {
    if (this.peekNext() !== code) return false;
    this.at += 1;
    return true;
  }
  expect(code) {
    if (this.take(code)) return true;
    this.refuse(`"${String.fromCharCode(code)}" is expected`);
    return false;
  }
  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== void 0) this.at += found.length;
    return found;
  }
  refuse(complaint, at = this.at) {
    this.complaint = complaint;
    this.complaintAt = at;
    return void 0;
  }
};

// engine/lib/policy/canonical-json.ts
var COMPILES = "WebAssembly" in globalThis;
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isList(value) {
  return Array.isArray(value);
}

// engine/lib/policy/json-parts.ts
function getText(value) {
  return typeof value === "string" ? value : "";
}

// engine/lib/policy/strict-record.ts
function recordFrom(bytes, most) {
  if (bytes.length > most) return refuse(`longer than ${most} bytes`);
  const text = decodeUtf8(bytes);
  if (text === void 0) return refuse("no UTF-8");
  const read = readJson(text, most);
  if (!read.ok) return refuse(`no JSON: ${read.reason}`);
  return isRecord(read.value) ? accept(read.value) : refuse("no JSON object");
}
function findUnknownName(record, known) {
  return Object.keys(record).find((name) => !known.includes(name));
}
function decodeUtf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return void 0;
  }
}

// engine/outside/osd/limits.ts
var MOST_REQUEST_BYTES = 256 * 1024;
var MOST_ACTIONS = 16;
var MOST_ID = 128;
var MOST_WORDS = 1024;
var MOST_TOKEN = 256;
var MOST_PATH = 4096;
var MOST_ARGV = 64;
var MOST_ARGV_WORD = 4096;
var MOST_ARGV_BYTES = 32 * 1024;
var MOST_ENV = 64;
var MOST_ENV_NAME = 128;
var MOST_ENV_VALUE = 4096;
var MOST_ENV_BYTES = 32 * 1024;
var MOST_SECONDS = 60;
var MOST_READ = 65536;
var MOST_WRITE = 65536;
var MOST_RECORD_BYTES = MOST_REQUEST_BYTES + 128 * 1024;

// engine/outside/osd/audit.ts
var REDACTED = "[redacted]";
function redactPlan({ actions, confirmation, ...envelope }) {
  return {
    ...envelope,
    ...confirmation && { confirmation: { token: REDACTED } },
    actions: actions.map(redactAction)
  };
}
function redactAction(action) {
  switch (action.type) {
    case "exec":
      return { ...action, env: Object.fromEntries(Object.keys(action.env).map((name) => [name, REDACTED])) };
    case "write_file":
      return { ...action, content: REDACTED, content_bytes: Buffer.byteLength(action.content) };
    default:
      return action;
  }
}

// engine/outside/osd/file-results.ts
function readResult({ max_bytes: most }, told) {
  const whole = textOf(told);
  const text = whole ?? beginningOf(told);
  if (text === void 0) {
    const error = { code: "read_failed", message: "what came back is no file's text" };
    return { type: "read_file", ok: false, error };
  }
  const bytes = Buffer.from(text);
  const truncated = whole === void 0 || bytes.length > most;
  return { type: "read_file", ok: true, content_base64: bytes.subarray(0, most).toString("base64"), truncated };
}
function writeResult({ path, content }) {
  return { type: "write_file", ok: true, artifacts: [path], bytes_after: Buffer.byteLength(content) };
}
function textOf(json) {
  const read = readJson(json);
  const content = read.ok && isRecord(read.value) ? read.value["content"] : void 0;
  return typeof content === "string" ? content : void 0;
}
var NOTE = / \[cut: \d+ more bytes\]$/;
var LONGEST_ESCAPE = 12;
function beginningOf(told) {
  if (!NOTE.test(told)) return void 0;
  const cut = told.replace(NOTE, "");
  for (let less = 0; less <= LONGEST_ESCAPE; less += 1) {
    const text = textOf(`${cut.slice(0, cut.length - less)}"}`);
    if (text !== void 0) return text;
  }
  return void 0;
}

// engine/outside/osd/floors.ts
import { basename } from "node:path";
var DANGEROUS = ["rm"];
function findFloor(action, folder) {
  if (action.danger !== void 0 && action.danger !== "") return "it says itself that it is dangerous";
  if (action.type !== "exec") return findPathFloor(action.path);
  const name = basename(action.argv[0]);
  if (DANGEROUS.includes(name)) return `${name} is confirmed each time`;
  if (Object.keys(action.env).length > 0) return "the page does not decide about an environment";
  return action.cwd === void 0 || action.cwd === folder ? void 0 : findPathFloor(action.cwd);
}
function findPathFloor(path) {
  const segments = parsePathSegments(path);
  if (segments === void 0) return "the path holds ..";
  const isElsewhere = path.startsWith("/") && !(isUnder(segments, ["tmp"]) && segments.length > 1);
  return isElsewhere ? "an absolute path outside of /tmp/" : void 0;
}

// engine/outside/osd/fields.ts
var MOST_TOLD = 8;
var Faults = class {
  #told = [];
  #code;
  note(at, what, code = "validation_failed") {
    this.#code ??= code;
    if (this.#told.length < MOST_TOLD) this.#told.push(`${at} ${what}`);
  }
  /** Code of the first fault and the messages of the first eight; `undefined` without a fault. */
  get all() {
    return this.#code && { code: this.#code, message: this.#told.join("; ") };
  }
};
var Fields = class {
  record;
  #at;
  #faults;
  /** `known`: all valid names of fields. `at`: path of the object; empty for the whole request. */
  constructor(value, at, known, faults) {
    this.record = isRecord(value) ? value : {};
    this.#at = at === "" ? "" : `${at}.`;
    this.#faults = faults;
    if (!isRecord(value)) faults.note(at, "has to be an object");
    const stranger = findUnknownName(this.record, known);
    if (stranger !== void 0) faults.note(`${this.#at}${stranger.slice(0, 64)}`, "is not known");
  }
  getPath(name) {
    return `${this.#at}${name}`;
  }
  getText(name) {
    return new Text(this.getPath(name), this.record[name], this.#faults);
  }
  /** Returns what `read` returns for the field, or `undefined` if the field is absent or null. */
  readOptional(name, read) {
    const value = this.record[name];
    return value === void 0 || value === null ? void 0 : read(this.getText(name));
  }
  count(name, least, most) {
    const value = this.record[name];
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    this.#faults.note(this.getPath(name), `has to be a whole number from ${least} to ${most}`);
    return least;
  }
};
var Text = class {
  #at;
  #text;
  #isText;
  #faults;
  constructor(at, value, faults) {
    this.#at = at;
    this.#isText = typeof value === "string";
    this.#text = typeof value === "string" ? value : "";
    this.#faults = faults;
    if (!this.#isText) faults.note(at, "has to be a text");
  }
  /** Checks the length in bytes of UTF-8. */
  checkLength(least, most) {
    const bytes = Buffer.byteLength(this.#text);
    return this.#expectRule(bytes >= least && bytes <= most, `has to have ${least} to ${most} bytes`);
  }
  /** Checks the length, and refuses a zero byte, which would end the text in a system call. */
  checkName(least, most) {
    return this.#expectRule(!this.#text.includes("\0"), "holds a zero byte") && this.checkLength(least, most);
  }
  checkAbsolutePath(most) {
    return this.#expectRule(this.#text.startsWith("/"), "has to be an absolute path: none is searched for") && this.checkName(1, most);
  }
  checkForm(form, what) {
    return this.#expectRule(form.test(this.#text), `has to be ${what}`);
  }
  /** Returns the text if it is one of `choices`; otherwise notes a fault and returns the first one. */
  checkChoice(choices, code = "validation_failed") {
    const found = choices.find((choice) => choice === this.#text);
    this.#expectRule(found !== void 0, `has to be ${choices.join(" or ")}`, code);
    return found ?? choices[0];
  }
  #expectRule(holds, what, code) {
    if (!holds && this.#isText) this.#faults.note(this.#at, what, code);
    return this.#text;
  }
};

// engine/outside/osd/plan.ts
var VERSION = "0.1";

// engine/outside/osd/read-plan.ts
function readPlan(bytes) {
  if (bytes.length > MOST_REQUEST_BYTES)
    return makeFailedAnswer("request_too_large", `a request has at most ${MOST_REQUEST_BYTES} bytes`);
  const read = recordFrom(bytes, MOST_REQUEST_BYTES);
  if (!read.ok) return makeFailedAnswer("parse_failed", read.reason);
  const faults = new Faults();
  const plan = planIn(read.value, faults);
  return faults.all === void 0 ? { ok: true, plan } : { ok: false, ...readIds(read.value), error: faults.all };
}
function makeFailedAnswer(code, message) {
  return { ok: false, error: { code, message } };
}
var ID = new RegExp(`^[\\w.:-]{1,${MOST_ID}}$`);
function readIds({
  request_id: request,
  session_id: session
}) {
  return { ...isId(request) && { request_id: request }, ...isId(session) && { session_id: session } };
}
function isId(value) {
  return typeof value === "string" && ID.test(value);
}
var ENVELOPE = ["request_id", "session_id", "version", "mode", "actions", "confirmation"];
function planIn(record, faults) {
  const fields = new Fields(record, "", ENVELOPE, faults);
  const session = fields.readOptional("session_id", (text) => text.checkForm(ID, ID_WORDS));
  const confirmation = record["confirmation"] ?? void 0;
  return {
    request_id: fields.getText("request_id").checkForm(ID, ID_WORDS),
    ...session !== void 0 && { session_id: session },
    version: fields.getText("version").checkChoice([VERSION]),
    mode: fields.getText("mode").checkChoice(["plan_only", "execute"], "mode_invalid"),
    actions: readActions(record["actions"], faults),
    ...confirmation !== void 0 && { confirmation: readConfirmation(confirmation, faults) }
  };
}
var ID_WORDS = `an id: at most ${MOST_ID} letters, digits, . : _ -`;
function readConfirmation(value, faults) {
  const fields = new Fields(value, "confirmation", ["token"], faults);
  return { token: fields.getText("token").checkLength(1, MOST_TOKEN) };
}
function readActions(value, faults) {
  const list = value !== void 0 && isList(value) ? value : [];
  const fits = list.length > 0 && list.length <= MOST_ACTIONS;
  if (!fits) faults.note("actions", `has to be a list of 1 to ${MOST_ACTIONS} actions`);
  return fits ? list.map((item, index) => readAction(item, `actions[${index}]`, faults)) : [];
}
var TYPES = ["ping", "exec", "read_file", "write_file"];
var REASONED = ["type", "reason", "danger", "recovery"];
var EXEC = [...REASONED, "argv", "cwd", "env", "timeout_sec", "as_root"];
function readAction(value, at, faults) {
  const type = isRecord(value) ? TYPES.find((each) => each === value["type"]) : void 0;
  switch (type) {
    case void 0:
      faults.note(`${at}.type`, `has to be ${TYPES.join(" or ")}`);
      return { type: "ping" };
    case "ping":
      new Fields(value, at, ["type"], faults);
      return { type };
    case "exec":
      return readExec(new Fields(value, at, EXEC, faults), faults);
    case "read_file": {
      const fields = new Fields(value, at, [...REASONED, "path", "max_bytes"], faults);
      const path = fields.getText("path").checkName(1, MOST_PATH);
      return { type, path, max_bytes: fields.count("max_bytes", 1, MOST_READ), ...readReasons(fields) };
    }
    case "write_file": {
      const fields = new Fields(value, at, [...REASONED, "path", "content", "mode"], faults);
      const path = fields.getText("path").checkName(1, MOST_PATH);
      const content = fields.getText("content").checkLength(0, MOST_WRITE);
      const mode = Number.parseInt(fields.getText("mode").checkForm(/^0?[0-7]{3}$/, "rights such as 0644"), 8);
      return { type, path, content, mode, ...readReasons(fields) };
    }
  }
}
function readReasons(fields) {
  const danger = fields.readOptional("danger", (text) => text.checkLength(0, MOST_WORDS));
  const recovery = fields.readOptional("recovery", (text) => text.checkLength(0, MOST_WORDS));
  return {
    reason: fields.getText("reason").checkLength(1, MOST_WORDS),
    ...danger !== void 0 && { danger },
    ...recovery !== void 0 && { recovery }
  };
}
function readExec(fields, faults) {
  const { as_root: asRoot = false, argv, env } = fields.record;
  if (asRoot !== false) faults.note(fields.getPath("as_root"), "is refused: nothing is run as root");
  const cwd = fields.readOptional("cwd", (text) => text.checkAbsolutePath(MOST_PATH));
  return {
    type: "exec",
    argv: readArgv(argv, fields.getPath("argv"), faults),
    ...cwd !== void 0 && { cwd },
    env: readEnv(env ?? {}, fields.getPath("env"), faults),
    timeout_sec: fields.count("timeout_sec", 1, MOST_SECONDS),
    ...readReasons(fields)
  };
}
function readArgv(value, at, faults) {
  const list = value !== void 0 && isList(value) ? value : [];
  const [program, ...rest] = list;
  if (program === void 0 || list.length > MOST_ARGV) {
    faults.note(at, `has to be a list of 1 to ${MOST_ARGV} texts`);
    return [""];
  }
  const makeArgvText = (text, index) => new Text(`${at}[${index}]`, text, faults);
  const words = [
    makeArgvText(program, 0).checkAbsolutePath(MOST_ARGV_WORD),
    ...rest.map((text, index) => makeArgvText(text, index + 1).checkName(0, MOST_ARGV_WORD))
  ];
  const bytes = words.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_ARGV_BYTES) faults.note(at, `has at most ${MOST_ARGV_BYTES} bytes in all`);
  return words;
}
var VARIABLE = new RegExp(`^[A-Za-z_]\\w{0,${MOST_ENV_NAME - 1}}$`);
function readEnv(value, at, faults) {
  if (!isRecord(value)) faults.note(at, "has to be an object");
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length > MOST_ENV) {
    faults.note(at, `has at most ${MOST_ENV} variables`);
    return {};
  }
  if (!entries.every(([name]) => VARIABLE.test(name))) faults.note(at, "holds a name that is none of a variable");
  const read = entries.map(([name, text]) => {
    return [name, new Text(`${at}.${name.slice(0, 64)}`, text, faults).checkName(0, MOST_ENV_VALUE)];
  });
  const bytes = read.reduce((sum, [name, text]) => sum + name.length + Buffer.byteLength(text), 0);
  if (bytes > MOST_ENV_BYTES) faults.note(at, `has at most ${MOST_ENV_BYTES} bytes in all`);
  return Object.fromEntries(read);
}

// engine/outside/osd/module.ts
var last = Promise.resolve();
var module_default = {
  async submit({ plan }, surroundings) {
    const mine = last.then(() => answered(plan, surroundings));
    last = mine.catch(() => void 0);
    return { answer: JSON.stringify(await mine) };
  }
};
async function answered(request, { signal, held }) {
  const [gate] = Object.values(held);
  if (gate === void 0) throw new Error("it holds no gate");
  const read = readPlan(Buffer.from(request));
  if (!read.ok) {
    await gate.refused({ words: JSON.stringify(read) });
    return read;
  }
  const { plan } = read;
  const { request_id, session_id, mode } = plan;
  const ids = { request_id, ...session_id !== void 0 && { session_id } };
  if (mode === "plan_only") return { ok: true, ...ids, executed: false, results: await planned(plan, gate) };
  const turn = await begin(plan, gate);
  if (!turn.ok) return { ...makeFailedAnswer("audit_failed", turn.reason), ...ids };
  return { ok: true, ...ids, executed: true, results: await executed(plan, turn.value, gate, signal) };
}
async function begin(plan, gate) {
  try {
    const begun = await gate.begin({ words: JSON.stringify(redactPlan(plan)) });
    const hasTurn = "turn" in begun && typeof begun.turn === "number";
    return hasTurn ? accept(Number(begun.turn)) : refuse("the gate gave no turn");
  } catch (error) {
    return refuse(wordsOf(error));
  }
}
async function planned({ actions }, gate) {
  const results = [];
  for (const action of actions) {
    const { type } = action;
    const known = type === "ping" ? RUNS : await looked(action, gate);
    const needs = known.standing === "asks" || isCautious(action);
    const isRefused = known.standing === "refused";
    results.push(isRefused ? refused(action, denied(known.reason)) : { type, ok: true, needs_confirmation: needs });
  }
  return results;
}
var RUNS = { standing: "runs", reason: "" };
async function looked(action, gate) {
  if (action.type === "exec") return { standing: "refused", reason: NO_PROGRAMS };
  const fault = rightsFault(action);
  if (fault !== void 0) return { standing: "refused", reason: fault };
  const told = await gate.look({ action: wired(action) });
  return { standing: fieldOf(told, "standing"), reason: fieldOf(told, "reason") };
}
async function executed(plan, turn, gate, signal) {
  const results = [];
  for (const [index, action] of plan.actions.entries()) {
    const isOver = results.at(-1)?.ok === false || signal.aborted;
    results.push(isOver ? refused(action, NOT_RUN) : await one(action, { plan, turn, index, gate }));
  }
  return results;
}
async function one(action, { plan, turn, index, gate }) {
  if (action.type === "ping") return { type: "ping", ok: true };
  if (action.type === "exec") return refused(action, denied(NO_PROGRAMS));
  const fault = rightsFault(action);
  if (fault !== void 0) return refused(action, denied(fault));
  const cautious = isCautious(action);
  const hasToken = plan.confirmation !== void 0;
  if (hasToken && (cautious || (await looked(action, gate)).standing === "asks")) return refused(action, NO_TOKEN);
  const id = `${plan.request_id.replace(/[^\w.-]/g, "_").slice(0, MOST_SHOWN_ID)}.${index}`;
  try {
    const told = await gate.act({ turn, id, action: wired(action), isCautious: cautious });
    return resultOf(action, {
      outcome: fieldOf(told, "outcome"),
      content: fieldOf(told, "content"),
      error: fieldOf(told, "error")
    });
  } catch (error) {
    return refused(action, denied(wordsOf(error)));
  }
}
var MOST_SHOWN_ID = 48;
function resultOf(action, { outcome, content, error }) {
  switch (outcome) {
    case "ok":
      return action.type === "read_file" ? readResult(action, content) : writeResult(action);
    case "deniedByUser":
    case "stepUpFailed":
      return refused(action, { code: "confirmation_required", message: error });
    case "executionError":
    case "timedOut":
    case "cancelled":
      return refused(action, { code: action.type === "read_file" ? "read_failed" : "write_failed", message: error });
    default:
      return refused(action, denied(error));
  }
}
var NO_PROGRAMS = "an image has no programs to start: what a page's own program does is a tool of its own";
var NOT_RUN = { code: "not_run", message: "an action before it failed, or its client left" };
var NO_TOKEN = {
  code: "confirmation_invalid",
  message: "in an image a person confirms at the console, and no token does"
};
var RIGHTS = 384;
function rightsFault(action) {
  if (action.type === "read_file" || action.mode === RIGHTS) return void 0;
  return "files of an image have the mode 0600, and no other";
}
function isCautious(action) {
  return action.type !== "ping" && action.type !== "exec" && findFloor(action, "") !== void 0;
}
function wired(action) {
  const { type, path } = action;
  return type === "read_file" ? { type, path } : { type, path, content: action.content };
}
function refused({ type }, error) {
  return { type, ok: false, error };
}
function denied(message) {
  return { code: "policy_denied", message };
}
function fieldOf(told, name) {
  const read = readJson(JSON.stringify(told));
  return read.ok && isRecord(read.value) ? getText(read.value[name]) : "";
}
function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}
export {
  module_default as default
};
