import type { Keyword } from "../grammar/index.ts";

// Defines the meanings of the words of the language. Editors show these texts, and `words.md` lists them. The pages of
// the constructs have more details.

/** One meaning of a word. */
export interface Meaning {
  /** Names of the grammar's rules in which the word has this meaning, joined by blanks. */
  readonly rules: string;
  /** Name of the page of the specification, without its extension. */
  readonly page: string;
  /** Construct with the word; placeholders are in capitals. */
  readonly form: string;
  readonly text: string;
}

function say(rules: string, page: string, form: string, text: string): Meaning {
  return { rules, page, form, text };
}

/** Meanings of each keyword. If a word has several meanings, each meaning applies in different rules of the grammar. */
export const KEYWORD_MEANINGS: { readonly [K in Keyword]: readonly Meaning[] } = {
  above: [
    say(
      "digestsLine",
      "audit",
      "digests above LABEL",
      "The audit log contains text up to this label, and only digests of text above it.",
    ),
  ],
  absent: [say("test", "where", "TERM TEST or absent", "The check also holds if the call lacks the argument.")],
  abstract: [
    say("session", "session", "abstract session NAME { … }", "The session serves only as a base and never runs."),
  ],
  accept: [say("modelAttribute", "model", "accept N percent", "The score in a benchmark that the model must reach.")],
  after: [say("phase", "task", "phase NAME after GATE { … }", "A person must pass this gate before the phase begins.")],
  always: [
    say("assertion", "assert", "assert always MODE PATTERNS", "Every call of these tools has MODE or a stricter mode."),
  ],
  and: [
    say("checks", "where", "where CHECK and CHECK", "Joins checks: the rule needs all of them."),
    say("when", "when", "when CONDITION and CONDITION", "Joins conditions: the floor applies while all of them hold."),
    say("related", "from", "SOURCE[FIELD == TEXT and FIELD from SOURCE]", "Joins conditions on a record or a call."),
  ],
  answer: [
    say(
      "answer",
      "test",
      "answer yes|no",
      "The person's answer to the gate. Without an answer, a call behind a gate does not run.",
    ),
  ],
  arch: [say("modelAttribute", "model", "arch NAME", "The architecture of the weights, such as `llama`.")],
  arg: [
    say(
      "fact",
      "interface",
      "arg NAME is MEANING",
      "The meaning of an argument. It decides which conditions a rule may have about the argument.",
    ),
    say("redactionPart", "redact", "arg SERVICE.METHOD.ARGUMENT", "Masks this argument of the tool's calls."),
  ],
  as: [
    say("asStep", "test", "as SESSION", "Begins a conversation in a session or a task."),
    say("useSchema", "use", 'use capnp "FILE" as NAME', "The name of the import on this page."),
  ],
  assert: [
    say(
      "assertion",
      "assert",
      "assert CLAIM",
      "A property that the compiler proves for all conversations before it builds an image.",
    ),
  ],
  atLeast: [
    say(
      "floor",
      "when",
      "atLeast MODE PATTERNS",
      "While the condition holds, calls of these tools have MODE or a stricter mode.",
    ),
  ],
  auto: [say("mode", "permit", "auto PATTERNS", "The call runs without a question. The loosest mode.")],
  audit: [
    say(
      "audit",
      "audit",
      "audit { digests above LABEL }",
      "States which text the audit log contains, and when a full log may release old records.",
    ),
  ],
  backend: [
    say(
      "backend",
      "backend",
      "backend NAME { ENGINE … }",
      "An engine that answers for a session: a local model, a provider or canned replies.",
    ),
  ],
  because: [say("because", "permit", 'because "REASON"', "The reason. It is shown in reports, diffs and refusals.")],
  browser: [
    say(
      "engine",
      "backend",
      'browser PROVIDER "ADDRESS"',
      "A server of a provider, which a browser reaches over the network. Images do not support this engine yet.",
    ),
  ],
  by: [
    say(
      "release",
      "release",
      "by GATE",
      "The gate of the release: a person sees the whole call and approves or signs it.",
    ),
  ],
  call: [
    say("callStep", "test", "call TOOL { ARGUMENTS } expect OUTCOME", "Makes a call, as if a model had proposed it."),
    say("never", "assert", "assert never call PATTERNS", "No call of these tools ever runs."),
  ],
  capnp: [
    say(
      "useSchema",
      "use",
      'use capnp "FILE" as NAME',
      "Imports the interfaces of a Cap'n Proto schema, pinned in `cap.lock`.",
    ),
  ],
  category: [
    say(
      "category",
      "category",
      "category NAME : PARENT",
      "Your own class of tools. A rule about it must be at least as strict as the rule about PARENT.",
    ),
  ],
  clearance: [
    say("clearance", "levels", "clearance LABEL", "The highest label of data that this session or backend may read."),
  ],
  compartment: [
    say("met", "when", "when compartment NAME", "Holds while the conversation has data of this compartment."),
  ],
  compartments: [
    say(
      "compartments",
      "levels",
      "compartments { NAME, … }",
      "Names compartments, which have no order. Only sessions and backends that are cleared for a compartment may read its data.",
    ),
  ],
  confidentiality: [
    say("levels", "levels", "confidentiality { LOW < HIGH }", "The levels that limit who may read data, lowest first."),
    say(
      "met",
      "when",
      "when confidentiality >= LEVEL",
      "Holds while the conversation has data of this level or above.",
    ),
  ],
  consent: [
    say("gate", "permit", "consent PATTERNS", "A person at the console reads the call and approves or denies it."),
  ],
  context: [say("modelAttribute", "model", "context N tokens", "The number of tokens that the model reads at once.")],
  cpu: [say("engine", "backend", "cpu", "A model that runs on the processor of the machine.")],
  declassify: [
    say(
      "release",
      "release",
      "declassify TOOL from LABEL to LABEL by GATE",
      "Lets the arguments of one call flow to a tool although the arguments are too secret for the tool.",
    ),
  ],
  digests: [
    say(
      "digestsLine",
      "audit",
      "digests above LABEL",
      "For text whose label is above LABEL the audit log keeps only digests.",
    ),
  ],
  directly: [
    say("assertion never", "assert", "directly", "The assertion counts only calls that the session makes itself."),
  ],
  else: [say("where", "where", "where CHECKS else MODE", "The mode of the call if a check fails.")],
  embedder: [
    say(
      "backendAttribute",
      "backend",
      "embedder MODEL",
      "The model that turns messages into vectors, so that people can search messages by meaning.",
    ),
  ],
  endorse: [
    say(
      "release",
      "release",
      "endorse TOOL from LABEL to LABEL by GATE",
      "Lets the arguments of one call flow to a tool although the arguments are not trusted enough.",
    ),
  ],
  endsWith: [say("test", "where", 'TERM endsWith "TEXT"', "Holds if the text ends with TEXT.")],
  enter: [say("enterStep", "test", "enter PHASE expect OUTCOME", "A person moves the task to a later phase.")],
  exec: [say("serviceAttribute", "service", 'exec "FILE"', "Your own program that provides the service.")],
  expect: [
    say(
      "expect",
      "test",
      "expect OUTCOME",
      "The mode or outcome that the step must have, such as `consent` or `refusedByPolicy`.",
    ),
  ],
  exported: [
    say(
      "keepLine",
      "audit",
      "keep until exported",
      "A full log may release records whose export a person confirmed with `capc audit release`.",
    ),
  ],
  extends: [
    say(
      "session",
      "session",
      "session NAME extends BASE { … }",
      "The session inherits everything from BASE, and can only narrow these rights.",
    ),
  ],
  false: [say("truth", "text", "false", "The truth value false.")],
  flow: [say("never", "assert", "assert never flow LABEL to SINK", "No data at or above the label reaches the sink.")],
  for: [
    say(
      "subject",
      "assert",
      "for SESSION",
      "Limits the assertion or release to a session and the sessions that extend it, or to a task.",
    ),
  ],
  forbidden: [
    say(
      "mode",
      "permit",
      "forbidden PATTERNS",
      "The call never runs. The tool is still advertised, so that the model can explain the refusal.",
    ),
  ],
  from: [
    say(
      "test",
      "from",
      "TERM from SOURCE, …",
      "Holds if the value occurred earlier in this conversation in one of the sources.",
    ),
    say(
      "relation",
      "from",
      "FIELD from SOURCE",
      "Holds if the field of the record, or the argument of the call, occurred in one of the sources.",
    ),
    say(
      "session",
      "session",
      "session NAME from BASE { … }",
      "The session has the rules of BASE as defaults. Its own rules take precedence, even if they are looser.",
    ),
    say("release", "release", "from LABEL", "The release applies if the label of the conversation may flow to LABEL."),
    say("redactionPart", "redact", "from SERVICE.METHOD.FIELD", "Masks this field of the tool's results."),
  ],
  giving: [
    say("callStep", "test", "giving JSON", "The result of the call, in which `from` conditions can find values."),
  ],
  gpu: [
    say(
      "engine",
      "backend",
      "gpu",
      "A model that runs on a graphics card of the machine. Images do not support this engine yet.",
    ),
  ],
  grant: [
    say(
      "serviceAttribute",
      "service",
      "grant TARGET scope TEXTS",
      "Another service or a network that this service may use. No rule of a session decides about this use.",
    ),
  ],
  has: [say("absence", "where", "not has(ARGUMENT)", "Holds if the call lacks the argument, or its value is null.")],
  image: [
    say(
      "settings",
      "image",
      "image { target linux  machine vm  boot SESSION }",
      "Describes the image that the machine boots.",
    ),
  ],
  in: [
    say(
      "test",
      "where",
      "TERM in SET",
      "Holds if the value is in the list in brackets, or in the set that `let` names.",
    ),
    say(
      "namedPattern",
      "permit",
      "CATEGORY in INTERFACE",
      "Only those tools of the category that belong to this interface.",
    ),
    say("ingress", "ingress", 'in "ZONE"', "The time zone of the times in the schedule."),
    say("task", "task", "task NAME in SESSION { … }", "The session whose rights the task narrows."),
    say("worker", "worker", "worker NAME in SESSION { … }", "The session or task whose agent may start the worker."),
  ],
  infer: [
    say(
      "enterStep",
      "test",
      "infer BACKEND expect MODE",
      "Asks whether the backend may answer now, and behind which gate.",
    ),
  ],
  ingress: [
    say(
      "ingress",
      "ingress",
      'ingress NAME : SOURCE "ADDRESS" in "ZONE" missed CHOICE says "TEXT" into SESSION label LABEL',
      "A source, other than the console, whose messages may begin a conversation.",
    ),
  ],
  inherit: [
    say(
      "inherited",
      "task",
      "inherit PATTERNS where CHECKS else MODE",
      "If the checks hold, the modes of the surrounding session apply. Otherwise MODE applies.",
    ),
  ],
  integrity: [
    say(
      "levels",
      "levels",
      "integrity { LOW < HIGH }",
      "The levels that state how far data can be trusted, lowest first.",
    ),
    say("met", "when", "when integrity <= LEVEL", "Holds while the conversation has data of this level or below."),
  ],
  interface: [
    say(
      "interface",
      "interface",
      "interface NAME { method … }",
      "Classifies the methods of an interface. The methods come from a schema or a list of an MCP server.",
    ),
  ],
  into: [say("ingress", "ingress", "into SESSION", "The session or task in which each message begins a conversation.")],
  is: [
    say("fact", "interface", "arg NAME is MEANING", "Gives the argument a meaning: path, url, text, program or money."),
  ],
  keep: [
    say(
      "keepLine",
      "audit",
      "keep until REASON",
      "A full log may release its oldest records once they are `shipped` or `exported`.",
    ),
  ],
  kind: [
    say("sessionAttribute", "session", "kind KIND", "Whom the session is for: operator, guest, anonymous or service."),
  ],
  label: [
    say(
      "serviceAttribute",
      "service",
      "label LABEL",
      "The label of the service's data: one label, or a range `LOW .. HIGH`.",
    ),
    say("ingress", "ingress", "label LABEL", "The label with which the conversations of this ingress begin."),
    say(
      "redaction",
      "redact",
      "redact NAME label LABEL { … }",
      "The text is masked for backends that are not cleared for this label.",
    ),
  ],
  let: [say("namedSet", "let", 'let NAME = ["…", …]', "Names a set of texts or of numbers for conditions.")],
  limit: [
    say(
      "assertion",
      "assert",
      "assert limit N UNIT per SCOPE",
      "Asserts that the use never exceeds this amount. A quota of the page must enforce this limit.",
    ),
  ],
  log: [say("backendAttribute", "backend", "log required", "The backend answers only while the audit log works.")],
  login: [
    say(
      "sessionAttribute",
      "session",
      "login key|passphrase",
      "The session is closed until one of its principals logs in.",
    ),
  ],
  matches: [
    say(
      "test",
      "where",
      'TERM matches "PATTERN"',
      "Holds if the whole text matches: `?` is one character, `*` any number of characters, `#` one digit.",
    ),
    say(
      "redactionPart",
      "redact",
      'matches "PATTERN", …',
      "Masks text that matches one of the patterns, at any place of the request.",
    ),
  ],
  mcp: [
    say(
      "useSchema",
      "use",
      'use mcp "FILE" as NAME',
      "Imports the tools of an MCP server as the interface `NAME.Tools`.",
    ),
  ],
  memory: [say("backendAttribute", "backend", "memory SIZE", "The most memory that the model's process may use.")],
  method: [
    say(
      "method",
      "interface",
      "method NAME : CATEGORY FACTS",
      "Gives a method its category, and facts that a schema cannot state.",
    ),
  ],
  missed: [
    say(
      "ingress",
      "ingress",
      "missed skip",
      "How a timer handles runs whose time passed while the machine was off: `skip`, `once` or `each`.",
    ),
  ],
  model: [
    say("model", "model", "model NAME { … }", "A language model: weights in the machine, or a model of a provider."),
    say("backendAttribute", "backend", "model NAME", "The model that answers."),
  ],
  models: [
    say(
      "models",
      "backend",
      "models { MODE BACKEND … }",
      "The backends of the session, in the order in which the gate tries them. MODE is the gate of a backend.",
    ),
  ],
  money: [
    say(
      "meaning",
      "interface",
      "arg NAME is money CURRENCY",
      "The argument is an amount of this currency. Comparisons of amounts are exact.",
    ),
  ],
  network: [
    say(
      "settings",
      "image",
      "network { address dhcp }",
      "Connects the machine to a network. Without this block the machine has no network.",
    ),
  ],
  never: [say("assertion", "assert", "assert never …", "Asserts that no conversation has this flow or call.")],
  not: [say("absence", "where", "not has(ARGUMENT)", "Holds if the call lacks the argument, or its value is null.")],
  null: [say("json", "test", "null", "JSON's null, in the arguments or the result of a call.")],
  only: [say("only", "only", "only PATTERNS", "Keeps the tools that the patterns name, and removes all others.")],
  or: [say("test", "where", "TERM TEST or absent", "The check also holds if the call lacks the argument.")],
  passkey: [
    say("proof", "principal", 'passkey "NAME"', "A passkey of the person. Images do not support passkeys yet."),
  ],
  passphrase: [
    say(
      "proof",
      "principal",
      'passphrase "NAME"',
      "A passphrase that the person chooses at the machine, for `login passphrase`.",
    ),
  ],
  paste: [say("sayStep", "test", 'paste "TEXT"', "A person pastes the text at the console.")],
  path: [
    say("meaning", "interface", "arg NAME is path", "The argument is a path. `under` compares whole names of folders."),
  ],
  per: [
    say("quotaEntry", "quota", "AMOUNT UNIT per SCOPE", "The scope in which the use is counted."),
    say(
      "timeLimit",
      "quota",
      "DURATION per SCOPE",
      "The scope that may take at most DURATION: a call, a turn or a login.",
    ),
  ],
  permit: [
    say(
      "permit",
      "permit",
      "permit { MODE PATTERNS … }",
      "Rules that decide about calls. The most specific rule for a tool decides; a tool without a rule never runs.",
    ),
  ],
  phase: [
    say(
      "phase",
      "task",
      "phase NAME { … }",
      "A part of a task, with tools of its own. A task never returns to an earlier phase.",
    ),
  ],
  price: [
    say(
      "modelAttribute",
      "model",
      "price INPUT, OUTPUT",
      "The prices of a million input tokens and of a million output tokens.",
    ),
  ],
  principal: [
    say(
      "principal",
      "principal",
      'principal NAME { ssh "KEY.pub" }',
      "A person with a key, who can log in and sign calls.",
    ),
  ],
  principals: [
    say(
      "sessionAttribute",
      "session",
      "principals NAME, …",
      "The people who may log in to the session and sign its step-up calls.",
    ),
  ],
  program: [say("meaning", "interface", "arg NAME is program", "The argument names a program.")],
  quantisation: [
    say("modelAttribute", "model", "quantisation NAME", "The quantisation of the weights, such as `q4_k_m`."),
  ],
  quota: [
    say(
      "quota",
      "quota",
      "quota { AMOUNT UNIT per SCOPE … }",
      "Limits use. A call that would exceed a quota is refused.",
    ),
  ],
  redact: [
    say(
      "redaction",
      "redact",
      "redact NAME label LABEL { … }",
      "Masks parts of requests to backends that are not cleared for LABEL.",
    ),
    say("fact", "interface", 'redact "FIELD", …', "Masks these fields of the result for every backend."),
  ],
  releases: [
    say("assertion", "assert", "without releases", "The assertion ignores flows through `declassify` and `endorse`."),
  ],
  remember: [
    say(
      "remember",
      "remember",
      "remember turn|conversation",
      "A person may approve all similar calls until the turn or the conversation ends.",
    ),
  ],
  remote: [
    say(
      "engine",
      "backend",
      'remote PROVIDER "ADDRESS"',
      "A server of a provider, which the machine reaches over the network.",
    ),
  ],
  required: [say("backendAttribute", "backend", "log required", "The backend answers only while the audit log works.")],
  requires: [say("sessionAttribute", "session", "requires task", "Allows calls only inside tasks of the session.")],
  returning: [
    say(
      "callStep",
      "test",
      "returning LABEL",
      "The label of the result. Without `returning`, the result has the highest label that the tool's results can have.",
    ),
  ],
  returns: [say("fact", "interface", "returns LABEL", "The label of the result: one label, or a range `LOW .. HIGH`.")],
  say: [say("sayStep", "test", 'say "TEXT"', "A person types the text at the console.")],
  says: [
    say("ingress", "ingress", 'says "TEXT"', "The message with which each run of a timer begins its conversation."),
    say(
      "fact",
      "interface",
      'says "TEXT"',
      "A description of the tool for models and people, which replaces the description in the schema.",
    ),
  ],
  scope: [
    say(
      "serviceAttribute",
      "service",
      'grant TARGET scope "…", …',
      "Limits the grant, for example to a folder, a server, a method or a time.",
    ),
  ],
  sends: [say("fact", "interface", "sends LABEL", "The highest label that arguments of this method may have.")],
  served: [say("modelAttribute", "model", 'served "NAME"', "The name that the provider gives to the model.")],
  service: [
    say(
      "service",
      "service",
      "service NAME : INTERFACE { … }",
      "A provider of tools. Its methods are the tools `NAME.method`.",
    ),
  ],
  session: [
    say(
      "session",
      "session",
      "session NAME { … }",
      "The rights of an agent that works for a person or a service: tools, gates, models and limits.",
    ),
  ],
  shipped: [
    say(
      "keepLine",
      "audit",
      "keep until shipped",
      "A full log may release records that the collector of the block `network` has acknowledged.",
    ),
  ],
  ssh: [say("proof", "principal", 'ssh "KEY.pub"', "A file with the person's Ed25519 public key, in the package.")],
  starts: [
    say("sessionAttribute", "session", "starts LABEL", "The label with which conversations of the session begin."),
  ],
  startsWith: [say("test", "where", 'TERM startsWith "TEXT"', "Holds if the text begins with TEXT.")],
  state: [say("serviceAttribute", "service", "state SIZE", "How much the service may store on the data disk.")],
  stepUp: [
    say(
      "gate",
      "permit",
      "stepUp PATTERNS",
      "A principal signs the call with a key that is kept outside of the machine.",
    ),
  ],
  storage: [
    say("settings", "image", 'storage { disk "NAME" }', "The data disk, the only disk to which the system writes."),
  ],
  strong: [
    say(
      "serviceAttribute",
      "service",
      "strong METHOD.FIELD, …",
      "Fields of results that only their owner can fill. For `from` they are strong sources.",
    ),
  ],
  stub: [say("engine", "backend", 'stub "FILE"', "Answers with the canned replies in FILE.")],
  suppress: [
    say(
      "suppress",
      "only",
      "suppress PATTERNS",
      "Removes tools. A removed tool is not advertised, and a call of this tool ends as `unknownTool`.",
    ),
  ],
  system: [say("system", "system", 'system NAME version "X.Y.Z" { … }', "Contains all declarations of a package.")],
  task: [
    say(
      "task",
      "task",
      "task NAME in SESSION { … }",
      "Work that a person starts on purpose, with fewer tools than its session.",
    ),
    say("parameter", "task", "task.NAME", "The value that a person typed for this parameter at the start of the task."),
    say("sessionAttribute", "session", "requires task", "Allows calls only inside tasks of the session."),
  ],
  test: [
    say(
      "rehearsal",
      "test",
      'test "TITLE" { STEPS }',
      "A conversation that `capc test` runs against the compiled policy.",
    ),
  ],
  text: [say("meaning", "interface", "arg NAME is text", "The argument is text without a special meaning.")],
  threads: [say("backendAttribute", "backend", "threads N", "The number of threads on which the model runs.")],
  timeout: [
    say(
      "timeout",
      "quota",
      "timeout { DURATION per SCOPE … }",
      "Limits the elapsed time of calls, turns and logins. The session locks after the time per `idle` without input.",
    ),
  ],
  to: [
    say("release", "release", "to LABEL", "The label that the gate uses for the arguments of this call."),
    say("never", "assert", "to SINK", "The backend, service or interface that the data must not reach."),
  ],
  token: [
    say(
      "backendAttribute",
      "backend",
      "token vault.NAME",
      "A sealed credential for the provider. The page never contains the value of the credential.",
    ),
  ],
  tools: [say("modelAttribute", "model", "tools true|false", "States whether the model can call tools.")],
  trifecta: [
    say(
      "never",
      "assert",
      "assert never trifecta",
      "No conversation has private data, content of strangers and an ungated tool that sends data out.",
    ),
  ],
  true: [say("truth", "text", "true", "The truth value true.")],
  truncate: [say("fact", "interface", "truncate SIZE", "The model reads only the beginning of a result.")],
  unattended: [
    say("met", "when", "when unattended", "Holds while no person is at the console."),
    say("asStep", "test", "as SESSION unattended", "No person is at the console in this conversation."),
  ],
  under: [
    say(
      "test",
      "where",
      'TERM under "FOLDER"',
      "Holds if the path is in the folder, or if the domain is this domain or one of its subdomains.",
    ),
  ],
  ungated: [
    say(
      "never",
      "assert",
      "assert never call PATTERNS ungated",
      "No call of these tools runs without a person's approval or signature.",
    ),
  ],
  until: [
    say("widen", "widen", 'until "YYYY-MM-DD"', "The date on which the widening expires."),
    say(
      "keepLine",
      "audit",
      "keep until REASON",
      "A full log may release its oldest records once they are `shipped` or `exported`.",
    ),
  ],
  url: [
    say(
      "meaning",
      "interface",
      "arg NAME is url",
      "The argument is a URL. The functions `origin` and `domain` can read parts of it.",
    ),
  ],
  use: [
    say(
      "use",
      "use",
      'use std.NAME, use "./FILE.cap"',
      "Imports a module of the standard library, another page, a schema or a list of tools.",
    ),
  ],
  version: [
    say(
      "system",
      "system",
      'version "X.Y.Z"',
      "A machine does not start an image whose version is older than the newest version that it has started.",
    ),
  ],
  waive: [
    say("waive", "assert", 'waive NAME for SESSION because "REASON"', "Cancels one inherited assertion for a session."),
  ],
  weights: [say("modelAttribute", "model", 'weights "FILE.gguf"', "The file with the weights, in the package.")],
  when: [
    say(
      "when",
      "when",
      "when CONDITIONS { atLeast MODE PATTERNS }",
      "Sets floors: while the conditions hold, calls of these tools have MODE or a stricter mode.",
    ),
  ],
  where: [say("checks", "where", "where CHECK and CHECK", "The conditions that the arguments of the call must meet.")],
  widen: [
    say(
      "widen",
      "widen",
      'widen { … } because "REASON"',
      "Rights that the session has beyond those of the session that it extends, with a reason.",
    ),
  ],
  without: [
    say("assertion", "assert", "without releases", "The assertion ignores flows through `declassify` and `endorse`."),
  ],
  worker: [
    say(
      "worker",
      "worker",
      "worker NAME in SESSION { … }",
      "A helper with fewer tools, which the agent may start. Images do not support workers yet.",
    ),
  ],
};

type Texts = Readonly<Record<string, string>>;

/**
 * Meanings of words that are not keywords, grouped by the place where a page may have them. A test of the editor
 * compares these words with the words that the compiler's phase `bind` accepts.
 */
export const VALUE_MEANINGS = {
  answers: { yes: "The person approves.", no: "The person denies." },
  expected: {
    auto: "The call needs no gate.",
    consent: "The call needs a person's approval.",
    stepUp: "The call needs a signature.",
    forbidden: "A rule forbids the call.",
    ok: "The call runs.",
    refusedByPolicy: "A rule, a label, a quota or the absence of a person refuses the call.",
    deniedByUser: "The person denies the call.",
    stepUpFailed: "The signature is missing or wrong.",
    invalidArguments: "The arguments do not fit the schema of the tool.",
    unknownTool: "The conversation has no tool of this name.",
  },
  functions: {
    every: "Holds if the check holds for all elements of the list.",
    some: "Holds if the check holds for at least one element of the list.",
    count: "The number of elements of a list.",
    date: "Reads the text as a date, or as a date-time with offset (ISO 8601).",
    domain: "The host of a URL, or the part after @ of an e-mail address, in lower case.",
    duration: "Reads the text as a duration, such as `PT5M` (ISO 8601) or `5 min`.",
    origin: "The origin of a URL: `scheme://host[:port]`.",
    size: "The length of a text in bytes of UTF-8.",
    addresses: "The e-mail addresses in a text; allowed only as the innermost function.",
    urls: "The links in a text; allowed only as the innermost function.",
  },
  inherited: {
    "model-isolated":
      "A model process has no tools, cannot start processes, and reaches at most the address of its provider.",
    "anonymous-asks": "In an anonymous session, no tool that changes, destroys or sends something runs without a gate.",
    "guest-local": "Only backends in this machine answer in guest and anonymous sessions.",
    "no-self-widening": "No tool of a session changes the rights of the session.",
    "remote-clearance": "No data above the clearance of a remote backend reaches it.",
    audited: "Every gate writes to the audit log, and only gates and services with grants can call tools.",
    trifecta: "No conversation has private data, content of strangers and an ungated tool that sends data out.",
  },
  kinds: {
    operator: "For a person who runs the machine; only these sessions may use `admin` tools.",
    guest: "For a known person who does not run the machine and has fewer rights.",
    anonymous: "For people whom the machine does not know.",
    service: "For a program instead of a person.",
  },
  logins: {
    key: "A principal signs a line that the console shows.",
    passphrase: "A principal types a passphrase at the console.",
  },
  parameters: {
    text: 'A text of at most 256 bytes, such as `"ACME GmbH"`.',
    number: "An exact decimal number.",
    money: "An exact amount in the named currency: `money EUR`.",
    date: "An ISO 8601 date, such as `2026-12-31`.",
    duration: "A duration, such as `30 min`.",
    size: "A size in bytes, such as `64 KiB`.",
  },
  places: {
    person: "Lines that a person typed at the console. A strong source.",
    pasted: "Text that the terminal marks as pasted.",
    page: "Texts of the page's named sets, and values that a person typed for the task. A strong source.",
    untrusted: "Text of the lowest integrity level, and pasted text.",
  },
  remembered: {
    turn: "A person may approve all similar calls until the turn ends.",
    conversation: "A person may approve all similar calls until the conversation ends, for an hour at most.",
  },
  scopes: {
    call: "Each call by itself.",
    turn: "The work after one message of a person.",
    conversation: "The whole conversation.",
    task: "One task, from its start to its end.",
    login: "From a login to the logout. In a session without a login: from the start of the machine to its end.",
    principal: "One person, in all sessions of this person. The quota needs a data disk.",
    hour: "Any 60 minutes.",
    day: "Any 1440 minutes. The quota needs a data disk.",
  },
  settings: {
    disk: "The name of the partition of the data disk.",
    encrypt: "Encrypts the data disk (LUKS2).",
    create: "Makes the data disk on a blank disk if the machine has no data disk.",
    address: "How the machine gets its network address.",
    host: 'The address of the machine with `address static`, such as `"192.168.1.5/24"`.',
    router: "The router with `address static`.",
    resolvers: "The name servers with `address static`.",
    collector: "The server that receives the audit records.",
    target: "The kernel for which the image is built.",
    boot: "The session that starts at the console.",
    machine: "The kind of machine.",
    console: "The terminal at which people type: the first serial port or the screen.",
    firmware: "The firmware that can start the image: `bios`, `uefi`, or by default both.",
    trust: "How the boot medium is protected against changes.",
    memory: "The memory of the machine. Without this setting it is 512 MiB.",
    kernel: "The file of the upstream kernel.",
    limine: "The folder with a release of the boot loader Limine.",
    init: "The capabilities of the first process.",
    hostname: "The name of the machine.",
    motd: "The message of the day.",
    log: "The level of the kernel's log.",
    restart: 'Restarts a service when the service fails: `"NAME on-failure"`.',
    exits: "The machine stops when this service ends.",
    tables: "`none` leaves the policy tables out of the image.",
  },
  sizes: { B: "Bytes.", KiB: "1024 bytes.", MiB: "1024 KiB.", GiB: "1024 MiB.", TiB: "1024 GiB." },
  missed: {
    skip: "Missed runs do not happen.",
    once: "However many runs were missed, the timer runs once when the machine is on again.",
    each: "The timer runs once for each run that was missed.",
  },
  sources: {
    console: "Messages from a console other than the machine's own.",
    web: "Messages from a web page.",
    chat: "Messages from a chat.",
    webhook: "Requests from another program.",
    mail: "Mail that arrives.",
    timer: "Times of a schedule, which is a cron expression in a time zone.",
    file: "Changes of a file.",
  },
  timed: {
    call: "Each call.",
    turn: "The work after one message of a person.",
    login: "From a login to the logout.",
    idle: "The time after the person's last message, command or answer. At its end the session locks.",
  },
  times: { ms: "Milliseconds.", s: "Seconds.", min: "Minutes.", h: "Hours." },
  units: {
    calls: "Calls of tools. After the name of a category: only calls of tools in this category.",
    tokens: "Tokens that backends read and write.",
    prompts: "Questions to the person at a gate.",
    B: "Bytes of the arguments of calls.",
    KiB: "1024 bytes of the arguments of calls.",
    MiB: "1024 KiB of the arguments of calls.",
    GiB: "1024 MiB of the arguments of calls.",
    TiB: "1024 GiB of the arguments of calls.",
  },
} as const satisfies Readonly<Record<string, Texts>>;

/** For each setting, the meanings of the words that may be its value. */
export const SETTING_MEANINGS = {
  encrypt: { passphrase: "The console asks for the passphrase at each start." },
  create: { blank: "Makes the data disk only if exactly one disk is blank." },
  address: {
    dhcp: "A DHCP server assigns the address.",
    static: "The page states `host`, `router` and `resolvers`.",
    none: "The machine has no address.",
  },
  target: { linux: "The kernel of capc's own images.", capos: "The kernel of upstream capOS." },
  machine: {
    vm: "A virtual machine with virtio, IDE or NVMe disks.",
    pc: "A larger kernel that drives AHCI and USB too.",
  },
  console: { serial: "The first serial port.", screen: "The screen, and a keyboard with a US layout." },
  firmware: { bios: "A BIOS.", uefi: "UEFI." },
  trust: {
    media: "The machine detects corruption of the boot medium.",
    sealed: "The image starts only by UEFI, with Secure Boot and the owner's key.",
  },
  log: {
    debug: "All messages.",
    info: "Events, warnings and errors.",
    warn: "Warnings and errors.",
    error: "Errors only.",
  },
  tables: { none: "The image has no policy tables." },
} as const satisfies Readonly<Record<string, Texts>>;
