// Tests the diagnostics that binding reports for each kind of mistake: position, message, help and fix.

import { expect, test } from "vitest";
import { ALICE, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { stripMarks } from "../../dev/fixtures/marks.ts";
import { boundPage } from "./testing/bound.ts";

const operator = (inside: string): string =>
  renderFactsPage({ sessions: `session operator { kind operator  ${inside} }` });
const task = (inside: string): string => renderFactsPage({ top: `task t in operator { ${inside} }` });
const service = (inside: string): string => renderFactsPage({ services: `service notes : Files { ${inside} }` });
const backend = (inside: string): string => renderFactsPage({ top: `backend other { stub  ${inside} }` });
const model = (inside: string): string => renderFactsPage({ top: `model m { ${inside} }` });
const settings = (inside: string): string => renderFactsPage({ rest: inside });
const image = (inside: string): string => settings(`image { target linux  boot operator  ${inside} }`);

/**
 * Pages with exactly one finding each, at the text between «». The other values of an entry are its message, its help,
 * and its fix, which replaces the marked text.
 */
const FINDINGS: Readonly<Record<string, readonly [page: string, message: string, help?: string, fix?: string]>> = {
  // Names
  "a label with its two levels in the wrong order": [
    renderFactsPage({ services: "service notes : Files { state 1 MiB  label «reviewed/secret» }" }),
    "there is no confidentiality level named `reviewed`",
    "write `secret/reviewed`: who may learn it stands before how far it may be trusted",
  ],
  "a category": [
    operator("permit { auto «redOnly» }"),
    "there is no category named `redOnly`",
    "did you mean `readOnly`?",
    "readOnly",
  ],
  "a category without a similar name": [
    operator("permit { auto «zzzzzz» }"),
    "there is no category named `zzzzzz`",
    "a word without a dot is a category",
  ],
  "a service instead of a category": [
    operator("permit { auto «notes» }"),
    "there is no category named `notes`",
    "write `notes.*` for all of its methods",
  ],
  "an interface instead of a category": [
    operator("permit { auto «Files» }"),
    "there is no category named `Files`",
    "write `Files.*` for all of its methods",
  ],
  "a tool instead of a category": [
    operator("permit { auto «notes.read» in Files }"),
    "there is no category named `notes.read`",
  ],
  "an interface": [
    renderFactsPage({ services: "service notes : «Fils» {}", sessions: "", rest: "" }),
    "there is no interface named `Fils`",
    "did you mean `Files`?",
    "Files",
  ],
  "an interface without a similar name": [
    renderFactsPage({ services: "service notes : «Zzzzzzzz» {}", sessions: "", rest: "" }),
    "there is no interface named `Zzzzzzzz`",
    "`use std.tools` brings the standard interfaces",
  ],
  "a service": [
    operator("permit { auto «nots».* }"),
    "there is no service named `nots`",
    "did you mean `notes`?",
    "notes",
  ],
  "a granted service": [service("grant «lgs»"), "there is no service named `lgs`"],
  "a kernel source": [
    service("grant kernel.«consle»"),
    "there is no kernel source named `consle`",
    "did you mean `console`?",
    "console",
  ],
  "a session that is granted to plans": [
    renderFactsPage({ services: "service plans : ActionPlans { grant «operatr» }" }),
    "there is no session named `operatr`",
    "did you mean `operator`?",
    "operator",
  ],
  "a principal": [
    renderFactsPage({
      top: 'principal alice { ssh "keys/alice.pub" }',
      sessions: "session operator { principals «alcie» }",
    }),
    "there is no principal named `alcie`",
    "did you mean `alice`?",
    "alice",
  ],
  "a backend of a session": [
    operator("models { auto «cannd» }"),
    "there is no backend named `cannd`",
    "did you mean `canned`?",
    "canned",
  ],
  "a model": [
    renderFactsPage({ top: "model smol { tools true }  backend other { cpu  model «smal» }" }),
    "there is no model named `smal`",
    "did you mean `smol`?",
    "smol",
  ],
  "an embedder": [
    renderFactsPage({ top: "model smol { tools true }  backend other { stub  embedder «smal» }" }),
    "there is no model named `smal`",
    "did you mean `smol`?",
    "smol",
  ],
  "a level": [
    operator("clearance «secrets»"),
    "there is no confidentiality level named `secrets`",
    "did you mean `secret`?",
    "secret",
  ],
  "a compartment in place of a level": [
    renderFactsPage({ top: "compartments { hr }", rest: "assert never flow «hr» to canned" }),
    "there is no confidentiality level named `hr`",
    "`hr` is a compartment: write it after a level, as in `secret:{hr}`",
  ],
  "a level of a session's start": [
    operator("starts «secrets»"),
    "there is no confidentiality level named `secrets`",
    "did you mean `secret`?",
    "secret",
  ],
  "a level of a condition": [
    operator("when confidentiality >= «secrets» { atLeast consent readOnly }"),
    "there is no confidentiality level named `secrets`",
    "did you mean `secret`?",
    "secret",
  ],
  "an integrity level": [
    operator("clearance public/«reviewd»"),
    "there is no integrity level named `reviewd`",
    "did you mean `reviewed`?",
    "reviewed",
  ],
  "an integrity level of a condition": [
    operator("when integrity <= «reviewd» { atLeast consent readOnly }"),
    "there is no integrity level named `reviewd`",
    "did you mean `reviewed`?",
    "reviewed",
  ],
  "a compartment": [
    operator("clearance secret:{«hr»}"),
    "there is no compartment named `hr`",
    "declare it with `compartments { … }`",
  ],
  "a compartment of a condition": [
    operator("when compartment «hr» { atLeast consent readOnly }"),
    "there is no compartment named `hr`",
    "declare it with `compartments { … }`",
  ],
  "a base": [
    renderFactsPage({ top: "session night extends «operater» {}" }),
    "there is no session named `operater`",
    "did you mean `operator`?",
    "operator",
  ],
  "a profile on a page without the module": [
    renderFactsPage({ top: "session night from «profiles.operator» {}" }),
    "there is no session named `profiles.operator`",
    "`use std.profiles` brings the standard profiles",
  ],
  "an unknown profile": [
    renderFactsPage({ top: "use std.profiles  session night from «profiles.operater» {}" }),
    "there is no session named `profiles.operater`",
    "did you mean `profiles.operator`?",
    "profiles.operator",
  ],
  "the parent of a category": [
    renderFactsPage({ top: "category vault : «destructve»" }),
    "there is no category named `destructve`",
    "did you mean `destructive`?",
    "destructive",
  ],
  "the session of a task": [
    renderFactsPage({ top: "task t in «operatr» {}" }),
    "there is no session named `operatr`",
    "did you mean `operator`?",
    "operator",
  ],
  "the subject of a worker": [
    renderFactsPage({ top: "task triage in operator {}  worker w in «triag» {}" }),
    "there is no session or task named `triag`",
    "did you mean `triage`?",
    "triage",
  ],
  "an ambiguous task of two sessions": [
    renderFactsPage({ top: "session night {}  task t in operator {}  task t in night {}  worker w in «t» {}" }),
    "`t` could be `operator.t` or `night.t`",
    "write `operator.t`",
  ],
  "the backend or service of an assertion": [
    renderFactsPage({ top: "assert never flow secret to «note»" }),
    "there is no backend or service named `note`",
    "did you mean `notes`?",
    "notes",
  ],
  "the interface of an assertion": [
    renderFactsPage({ top: "assert never flow secret to «Filse»" }),
    "there is no interface named `Filse`",
    "did you mean `Files`?",
    "Files",
  ],
  "a tool of a test": [
    renderFactsPage({ top: 'test "t" { as operator  call «notes.raed» {} expect auto }' }),
    "there is no tool named `notes.raed`",
    "did you mean `notes.read`?",
    "notes.read",
  ],
  "a backend of a test": [
    renderFactsPage({ top: 'test "t" { as operator  infer «caned» expect auto }' }),
    "there is no backend named `caned`",
    "did you mean `canned`?",
    "canned",
  ],
  "the session that boots": [
    settings("image { target linux  machine vm  boot «operatr» }"),
    "there is no session named `operatr`",
    "did you mean `operator`?",
    "operator",
  ],
  "a profile as the session that boots": [
    renderFactsPage({ top: "use std.profiles", rest: "image { target linux  machine vm  boot «profiles» }" }),
    "there is no session named `profiles`",
  ],
  "a method of an interface": [
    renderFactsPage({ top: "interface Board { method «pst» : readOnly }" }),
    "there is no method of Board named `pst`",
    "did you mean `post`?",
    "post",
  ],
  "the category of a method": [
    renderFactsPage({ top: "interface Board { method post : «redOnly» }" }),
    "there is no category named `redOnly`",
    "did you mean `readOnly`?",
    "readOnly",
  ],
  "an argument of a method": [
    renderFactsPage({ top: "interface Board { method post : readOnly  arg «lin» is text }" }),
    "there is no argument of post named `lin`",
    "did you mean `line`?",
    "line",
  ],
  "a field of an argument": [
    renderFactsPage({ top: "interface Shop { method buy : readOnly  arg «size.width» is text }" }),
    "there is no argument of buy named `size.width`",
  ],
  "an unknown method of a service": [
    operator("permit { auto «notes.raed» }"),
    "no tool is named `notes.raed`",
    "did you mean `notes.read`?",
    "read",
  ],
  "a method without a similar name": [operator("permit { auto «notes.zzzzzz» }"), "no tool is named `notes.zzzzzz`"],
  "a unit of a quota": [
    operator("quota { 3 «cals» per turn }"),
    "there is no unit or category named `cals`",
    "did you mean `calls`?",
    "calls",
  ],
  "a schema": [
    renderFactsPage({ top: "interface «Bord» { method post : readOnly }" }),
    "no schema defines an interface `Bord`",
    "did you mean `Board`?",
  ],
  "a schema without a similar name": [
    renderFactsPage({ top: "interface «Zzzzzzzzz» {}" }),
    "no schema defines an interface `Zzzzzzzzz`",
  ],

  // Duplicates
  "two categories": [
    renderFactsPage({ top: "category vault : admin\ncategory «vault» : admin" }),
    "the category `vault` is declared already, at system.cap:3:3",
  ],
  "two interfaces": [
    renderFactsPage({ top: "interface Board {}\ninterface «Board» {}" }),
    "the interface `Board` is declared already, at system.cap:3:3",
  ],
  "two methods": [
    renderFactsPage({ top: "interface Board { method post : readOnly\nmethod «post» : readOnly }" }),
    "the method `post` is declared already, at system.cap:3:21",
  ],
  "two services": [
    renderFactsPage({ top: "service notes : Files {}", services: "service «notes» : Files {}" }),
    "the service `notes` is declared already, at system.cap:3:3",
  ],
  "two principals": [
    renderFactsPage({ top: 'principal a { ssh "keys/alice.pub" }\nprincipal «a» { ssh "keys/bob.pub" }' }),
    "the principal `a` is declared already, at system.cap:3:3",
  ],
  "two models": [
    renderFactsPage({ top: "model m {}\nmodel «m» {}" }),
    "the model `m` is declared already, at system.cap:3:3",
  ],
  "two backends": [
    renderFactsPage({ top: "backend b { stub }\nbackend «b» { stub }" }),
    "the backend `b` is declared already, at system.cap:3:3",
  ],
  "two sessions": [
    renderFactsPage({ top: "session s {}\nsession «s» {}" }),
    "the session `s` is declared already, at system.cap:3:3",
  ],
  "two tasks": [
    renderFactsPage({ top: "task t in operator {}\ntask «t» in operator {}" }),
    "the task `operator.t` is declared already, at system.cap:3:3",
  ],
  "an inherited task": [
    renderFactsPage({ top: "task t in operator {}\nsession night extends operator {}  task «t» in night {}" }),
    "the task `t` is declared already, at system.cap:3:3",
  ],
  "two phases": [task("phase p {}\nphase «p» {}"), "the phase `p` is declared already, at system.cap:3:24"],
  "two workers": [
    renderFactsPage({ top: "worker w in operator {}\nworker «w» in operator {}" }),
    "the worker `w` is declared already, at system.cap:3:3",
  ],
  "two ingresses": [
    renderFactsPage({
      top: "ingress i : mail into operator label public\ningress «i» : web into operator label public",
    }),
    "the ingress `i` is declared already, at system.cap:3:3",
  ],
  "two levels": [
    renderFactsPage({ top: "confidentiality { a < b < «a» }" }),
    "the confidentiality level `a` is declared already, at system.cap:3:21",
  ],
  "two integrity levels": [
    renderFactsPage({ top: "integrity { a < «a» }" }),
    "the integrity level `a` is declared already, at system.cap:3:15",
  ],
  "two compartments": [
    renderFactsPage({ top: "compartments { a, b, «a» }" }),
    "the compartment `a` is declared already, at system.cap:3:18",
  ],
  "two lattices": [
    renderFactsPage({ top: "confidentiality { a }\n«confidentiality { b }»" }),
    "the confidentiality lattice is a duplicate of the entry at system.cap:3:3",
  ],
  "two integrity lattices": [
    renderFactsPage({ top: "integrity { a }\n«integrity { b }»" }),
    "the integrity lattice is a duplicate of the entry at system.cap:3:3",
  ],
  "the meaning of an argument": [
    renderFactsPage({ top: "interface Board { method post : readOnly  arg line is text  «arg line is path» }" }),
    "the meaning of `line` is a duplicate of the entry at the same method",
  ],
  "a quota": [
    operator("quota { 3 calls per turn\n«4 calls per turn» }"),
    "a quota of calls  per turn is a duplicate of the entry at system.cap:6:45",
  ],
  "a timeout": [
    operator("timeout { 3 s per call\n«4 s per call» }"),
    "the time limit per call is a duplicate of the entry at system.cap:6:47",
  ],
  "a firmware": [
    image("firmware bios,\n«bios»"),
    "`bios` of `firmware` is a duplicate of the entry at system.cap:7:49",
  ],
  "a second value of a setting": [
    image("machine vm, «pc»"),
    "a value of `machine` is a duplicate of the entry at system.cap:7:48",
  ],
  "a second value of a size": [
    image("memory 512 MiB, «1 GiB»"),
    "a value of `memory` is a duplicate of the entry at system.cap:7:47",
  ],

  // Words
  "a kind": [
    operator("permit {} }  session s { kind «gust»"),
    "`gust` is not a valid kind of session",
    "did you mean `guest`? write one of operator, guest, anonymous, service",
    "guest",
  ],
  "a proof for a login": [
    operator("login «keys»"),
    "`keys` is not a valid proof of a login",
    "did you mean `key`? write one of key, passphrase",
    "key",
  ],
  "a scope of `remember`": [
    operator("remember «turns»"),
    "`turns` is not a valid time for which consent is remembered",
    "did you mean `turn`? write one of turn, conversation",
    "turn",
  ],
  "an unknown scope of a timeout": [
    operator("timeout { 3 s per «cal» }"),
    "`cal` is not a valid time limit",
    "did you mean `call`? write one of call, turn, login, idle",
    "call",
  ],
  "the scope of a quota": [
    operator("quota { 3 calls per «dy» }"),
    "`dy` is not a valid scope of a quota",
    "did you mean `day`? write one of call, turn, conversation, task, login, principal, hour, day",
    "day",
  ],
  "a second word in a quota": [
    operator("quota { 3 readOnly «call» per turn }"),
    "`call` is not a valid second word of a quota",
    "did you mean `calls`? write one of calls",
    "calls",
  ],
  "a second word after a unit": [
    operator("quota { 3 tokens «times» per turn }"),
    "`times` is not a valid second word of a quota",
    "write one of calls",
  ],
  "an unknown set": [
    renderFactsPage({
      top: 'let partners = ["a"]',
      permit: "auto readOnly  consent Files.write where content in «partner» else forbidden",
    }),
    "there is no set named `partner`",
    "did you mean `partners`?",
    "partners",
  ],
  "two sets with one name": [
    renderFactsPage({ top: 'let partners = ["a"]  let «partners» = ["b"]' }),
    "the set `partners` is declared already, at system.cap:3:3",
  ],
  "a set with texts and numbers": [
    renderFactsPage({ top: 'let partners = ["a", «5»]' }),
    "the set `partners` mixes values of different kinds",
    "write a set of texts, or a set of numbers",
  ],
  "two redactions with one name": [
    renderFactsPage({ top: 'redact a label public { matches "###" }  redact «a» label public { matches "####" }' }),
    "the redaction `a` is declared already, at system.cap:3:3",
  ],
  "an empty redaction": [
    renderFactsPage({ top: "redact «a» label public {}" }),
    "the redaction `a` cannot be enforced: it names nothing to mask",
    'write `matches "PATTERN"`, `from SERVICE.METHOD.FIELD` or `arg SERVICE.METHOD.ARGUMENT`',
  ],
  "a redaction with an integrity": [
    renderFactsPage({ top: 'redact a label «public/untrusted» { matches "###" }' }),
    "the redaction `a` cannot be enforced: its label has an integrity, but a redaction is only about who may read the text",
    "write the level, and compartments if it has any",
  ],
  "two limits of the audit": [
    renderFactsPage({ top: "audit { digests above public  «digests above internal» }" }),
    "`digests` of `audit` is a duplicate of the entry at system.cap:3:11",
  ],
  "two blocks of the audit": [
    renderFactsPage({ top: "audit { digests above public }  «audit { digests above internal }»" }),
    "`audit` is a duplicate of the entry at system.cap:3:3",
  ],
  "an audit without a limit": [
    renderFactsPage({ top: "«audit {}»" }),
    "the `audit` block is not valid: it states nothing",
    "write `digests above LABEL`, `keep until exported`, or both",
  ],
  "two times until which the audit keeps records": [
    renderFactsPage({ top: "audit { keep until exported  «keep until exported» }" }),
    "`keep` of `audit` is a duplicate of the entry at system.cap:3:11",
  ],
  "an audit that waits for a collector that is not there": [
    renderFactsPage({ top: "audit { «keep until shipped» }" }),
    "the `audit` block is not valid: `keep until shipped` waits for a collector, and the page names none",
    'name one, such as `network { collector "syslog", "logs.example" }`, or write `keep until exported`',
  ],
  "a limit of the audit with an integrity": [
    renderFactsPage({ top: "audit { digests above «public/untrusted» }" }),
    "the `audit` block is not valid: its label has an integrity, but the limit is only about who may read the log",
    "write the level, and compartments if it has any",
  ],
  "a limit of the audit at an unknown level": [
    renderFactsPage({ top: "audit { digests above «publik» }" }),
    "there is no confidentiality level named `publik`",
    "did you mean `public`?",
    "public",
  ],
  "a redaction with a pattern that is too short": [
    renderFactsPage({ top: 'redact a label public { matches "###", «"##*"» }' }),
    "the redaction `a` cannot be enforced: `##*` is not a pattern that can be looked for",
    "write three characters at least beside `*`, one of them not `?`, in 128 bytes with 8 `*` at most",
  ],
  "the same pattern twice": [
    renderFactsPage({ top: 'redact a label public { matches "###", «"###"» }' }),
    "the pattern `###` is a duplicate of the entry at system.cap:3:35",
  ],
  "the same field twice": [
    renderFactsPage({ top: "redact a label public { from notes.read.content  from «notes.read.content» }" }),
    "the field `notes.read.content` is a duplicate of the entry at system.cap:3:32",
  ],
  "a redaction of a tool without a field": [
    renderFactsPage({ top: "redact a label public { from «notes.read» }" }),
    "the redaction `a` cannot be enforced: `notes.read` names no field of a tool",
    "write `SERVICE.METHOD.FIELD`",
  ],
  "a redaction for an unknown service": [
    renderFactsPage({ top: "redact a label public { from «note».read.content }" }),
    "there is no service named `note`",
    "did you mean `notes`?",
    "notes",
  ],
  "a redaction for an unknown argument": [
    renderFactsPage({ top: "redact a label public { arg «notes.write.text» }" }),
    "the redaction `a` cannot be enforced: `notes.write` has no argument `text`",
    "write one of `path`, `content`",
  ],
  "a unit of a duration": [
    operator("permit { consent Files.write where duration(content) < 3 «KiB» else forbidden }"),
    "`KiB` is not a unit of time",
    "write one of ms, s, min, h",
  ],
  "a function": [
    operator("permit { consent Files.write where «siz»(content) < 3 else forbidden }"),
    "`siz` is not a valid function",
    "did you mean `size`? write one of every, some, count, date, domain, duration, origin, size, addresses, urls",
    "size",
  ],
  "a quantifier inside of another function": [
    operator("permit { consent Files.write where origin(«every»(content)) == 3 else forbidden }"),
    "`every` cannot be used here: the quantifier stands outermost, and what is found in a text innermost, each once",
    "write `every(origin(content))`",
  ],
  "a single value where there are several": [
    operator('permit { consent Files.write where «domain»(urls(content)) == "a.example" else forbidden }'),
    "`domain` cannot be used here: `urls` finds several values",
    "write `every(domain(urls(content)))` or `some(domain(urls(content)))`",
  ],
  "a quantifier over a count": [
    operator("permit { consent Files.write where «some»(count(content)) == 3 else forbidden }"),
    "`some` cannot be used here: `count` is asked of a whole list",
    "write `count(content)`",
  ],
  "a source of an ingress": [
    renderFactsPage({ top: "ingress i : «mial» into operator label public" }),
    "`mial` is not a valid source of an ingress",
    "did you mean `mail`? write one of console, web, chat, webhook, mail, timer, file",
    "mail",
  ],
  "a choice for missed runs": [
    renderFactsPage({
      top: 'ingress i : timer "0 3 * * *" in "UTC" missed «onse» says "Go." into operator label public',
    }),
    "`onse` is not a valid choice for missed runs",
    "did you mean `once`? write one of skip, once, each",
    "once",
  ],
  "a waived assertion": [
    renderFactsPage({ top: 'waive «audit» because "x"' }),
    "`audit` is not a valid assertion of the standard library",
    "write one of model-isolated, anonymous-asks, guest-local, no-self-widening, remote-clearance, audited, trifecta",
  ],
  "an outcome of a test": [
    renderFactsPage({ top: 'test "t" { as operator  call notes.read {} expect «consnt» }' }),
    "`consnt` is not a valid mode or outcome",
    "did you mean `consent`? write one of auto, consent, stepUp, forbidden, ok, refusedByPolicy, deniedByUser, stepUpFailed, invalidArguments, unknownTool",
    "consent",
  ],
  "an answer of a test": [
    renderFactsPage({ top: 'test "t" { as operator  call notes.read {} answer «yess» expect ok }' }),
    "`yess` is not a valid answer",
    "did you mean `yes`? write one of yes, no",
    "yes",
  ],
  "a setting of `storage`": [
    settings('storage { disk "d"  «encrpt» x }'),
    "`encrpt` is not a valid setting of `storage`",
    "did you mean `encrypt`? write one of disk, encrypt, create",
    "encrypt",
  ],
  "a setting of `network`": [
    settings("network { «hst» x }"),
    "`hst` is not a valid setting of `network`",
    "did you mean `host`? write one of address, host, router, resolvers, collector",
    "host",
  ],
  "a value of `encrypt`": [
    settings('storage { disk "d"  encrypt «passphras» }'),
    "`passphras` is not a valid `encrypt`",
    "did you mean `passphrase`? write one of passphrase",
    "passphrase",
  ],
  "a value of `create`": [
    settings('storage { disk "d"  create «blnk» }'),
    "`blnk` is not a valid `create`",
    "did you mean `blank`? write one of blank",
    "blank",
  ],
  "an address": [
    settings("network { address «dhcpp» }"),
    "`dhcpp` is not a valid `address`",
    "did you mean `dhcp`? write one of dhcp, static, none",
    "dhcp",
  ],
  "a console": [
    image("console «scren»"),
    "`scren` is not a valid `console`",
    "did you mean `screen`? write one of serial, screen",
    "screen",
  ],
  "a trust": [
    image("trust «seald»"),
    "`seald` is not a valid `trust`",
    "did you mean `sealed`? write one of media, sealed",
    "sealed",
  ],
  "an unknown firmware": [
    image("firmware «uefy»"),
    "`uefy` is not a valid `firmware`",
    "did you mean `uefi`? write one of bios, uefi",
    "uefi",
  ],
  "a name instead of a memory size": [image("memory «much»"), "`much` is not a valid `memory`", "write one of 512 MiB"],
  "a size instead of a name": [image("machine «3 MiB»"), "`MiB` is not a valid `machine`", "write one of a name"],
  "a log level": [
    image("log «wran»"),
    "`wran` is not a valid `log`",
    "did you mean `warn`? write one of debug, info, warn, error",
    "warn",
  ],
  "a value of `tables`": [
    image("tables «nne»"),
    "`nne` is not a valid `tables`",
    "did you mean `none`? write one of none",
    "none",
  ],

  // Pages with wrong units or amounts.
  "a unit of state": [service("state 1 «Mib»"), "`Mib` is not a unit of size", "write one of B, KiB, MiB, GiB, TiB"],
  "a unit of a limit": [
    operator("timeout { 3 «sec» per call }"),
    "`sec` is not a unit of time",
    "write one of ms, s, min, h",
  ],
  "a unit of a literal": [
    operator("permit { consent Files.write where size(content) < 3 «kB» else forbidden }"),
    "`kB` is not a unit of size",
    "write one of B, KiB, MiB, GiB, TiB",
  ],
  "a unit of a model's context": [model("context 4 «KiB»"), "`KiB` is not a unit of context", "write one of tokens"],
  "a unit of a share in percent": [model("accept 4 «parts»"), "`parts` is not a unit of share", "write one of percent"],
  "a unit of a price": [model("price 4 «euros»"), "`euros` is not a unit of price", "write one of EUR, USD"],
  "two currencies": [model("price 4 EUR, 3 «USD»"), "`USD` is not a unit of price", "write one of EUR"],
  "three prices": [model("price 4 EUR, 3 EUR, «2» EUR"), "`2` is not one price or two"],
  "a price below a millionth": [model("price «0.0000001» EUR"), "`0.0000001` is not a whole number of millionths"],
  "a price that is too large": [model("price «1000001» EUR"), "`1000001` is not at most 1000000"],
  "no state": [service("state «0» MiB"), "`0 MiB` is not an amount from 1 B to 1048576 MiB"],
  "more state than allowed": [service("state «1025» GiB"), "`1025 GiB` is not an amount from 1 B to 1024 GiB"],
  "less than a byte": [service("state «0.5» B"), "`0.5 B` is not a whole number of B"],
  "a fraction of a byte": [
    operator("permit { consent Files.write where size(content) < «0.5» B else forbidden }"),
    "`0.5` is not a whole number of bytes",
  ],
  "no thread": [backend("threads «0»"), "`0 threads` is not an amount from 1 to 1024 threads"],
  "more threads than allowed": [backend("threads «1025»"), "`1025 threads` is not an amount from 1 to 1024 threads"],
  "more memory than allowed": [backend("memory «1025» GiB"), "`1025 GiB` is not an amount from 1 B to 1024 GiB"],
  "more than 100 percent": [
    model("accept «101» percent"),
    "`101 percent` is not an amount from 1 percent to 100 percent",
  ],
  "a context that is too long": [
    model("context «4294967296» tokens"),
    "`4294967296 tokens` is not an amount from 1 tokens to 4294967295 tokens",
  ],
  "a timeout that is too long": [
    operator("timeout { «4294968» s per call }"),
    "`4294968 s` is not an amount from 1 ms to 4294967 s",
  ],
  "a quota that is too large": [
    operator("quota { «18446744073709551616» calls per turn }"),
    "`18446744073709551616 calls` is not an amount from 1 to 18446744073709551615 calls",
  ],
  "half a call": [operator("quota { «0.5» calls per turn }"), "`0.5 calls` is not a whole number of the smallest unit"],
  "more memory than a machine has": [image("memory «17» TiB"), "`17 TiB` is not an amount from 1 B to 16 TiB"],
  "a truncation limit that is too large": [
    renderFactsPage({ top: "interface Board { method post : readOnly  truncate «2» GiB }" }),
    "`2 GiB` is not an amount from 1 B to 1 GiB",
  ],

  // Form
  "a service with an upper-case name": [
    renderFactsPage({ top: "service «Notes» : Files {}" }),
    "`Notes` is not a valid name of a service: such a name begins with a lower-case letter",
  ],
  "a category without a parent": [
    renderFactsPage({ top: "category «vault»" }),
    "only the standard library may contain a category without a parent",
    "write `category NAME : PARENT`",
  ],
  "a cycle of categories": [
    renderFactsPage({ top: "category a : b  category «b» : a" }),
    "`b` depends on itself: these categories form a cycle",
    "remove the base of one declaration in the cycle, or name a base outside of the cycle",
  ],
  "a cycle of sessions": [
    renderFactsPage({ top: "session a extends b {}  session «b» extends a {}" }),
    "`b` depends on itself: these sessions form a cycle",
    "remove the base of one declaration in the cycle, or name a base outside of the cycle",
  ],
  "no tool": [
    renderFactsPage({ top: "interface Shop { method «open» : readOnly }" }),
    "the method `open` cannot become a tool: shop is a capability",
  ],
  "an ingress into an abstract session": [
    renderFactsPage({ top: "abstract session base {}  ingress i : mail into «base» label public" }),
    "the session `base` is abstract, so it cannot run",
    "name a session that is not abstract, such as a session that `extends` this one",
  ],
  "a test in an abstract session": [
    renderFactsPage({ top: 'abstract session base {}  test "t" { as «base» }' }),
    "the session `base` is abstract, so it cannot run",
    "name a session that is not abstract, such as a session that `extends` this one",
  ],
  "two systems": [
    `${renderFactsPage({})}\nsystem «other» { }`,
    "the page declares more than one system",
    "keep one system; the root page can import its other parts from files with `use`",
  ],
};

test.each(Object.entries(FINDINGS))(
  "a page with one mistake has one finding: %s",
  async (_, [marked, message, help, fix]) => {
    const { text, spans } = stripMarks(marked);
    const { findings } = await boundPage(text);
    expect(findings.map((found) => found.message)).toEqual([message]);
    const [found] = findings;
    expect([{ start: found?.span.start, end: found?.span.end }]).toEqual(spans);
    expect([found?.help, found?.fix?.replacement]).toEqual([help, fix]);
  },
);

test.each(["kind", "principals", "login", "starts", "clearance", "models", "remember"])(
  "`%s` may be written only once",
  async (word) => {
    const said = {
      kind: "guest",
      principals: "alice",
      login: "key",
      starts: "public",
      clearance: "public",
      models: "{ auto canned }",
      remember: "turn",
    };
    const one = `${word} ${said[word as keyof typeof said]}`;
    const { text, spans } = stripMarks(
      renderFactsPage({
        top: 'principal alice { ssh "keys/alice.pub" }',
        sessions: `session operator { ${one} «${one}» }`,
      }),
    );
    const { findings } = await boundPage(text);
    const where = `system.cap:6:${"  session operator { ".length + 1}`;
    expect(findings.map(({ message }) => message)).toEqual([`\`${word}\` is a duplicate of the entry at ${where}`]);
    expect(findings.map(({ span: { start, end } }) => ({ start, end }))).toEqual(spans);
  },
);

test.each<[string, string]>([
  ["clearance", "public"],
  ["threads", "2"],
  ["memory", "1 MiB"],
  ["token", "vault.a"],
  ["log", "required"],
])("`%s` of a backend may be written only once", async (word, value) => {
  const { findings } = await boundPage(backend(`${word} ${value}  ${word} ${value}`));
  expect(findings.map(({ message }) => message)).toEqual([
    `\`${word}\` is a duplicate of the entry at system.cap:3:25`,
  ]);
});

test.each<[string, string]>([
  ["weights", '"a.gguf"'],
  ["arch", "llama"],
  ["quantisation", "q4"],
  ["context", "1 tokens"],
  ["tools", "true"],
  ["served", '"a"'],
  ["price", "1 EUR"],
  ["accept", "1 percent"],
])("`%s` of a model may be written only once", async (word, value) => {
  const { findings } = await boundPage(model(`${word} ${value}  ${word} ${value}`));
  expect(findings.map(({ message }) => message)).toEqual([
    `\`${word}\` is a duplicate of the entry at system.cap:3:13`,
  ]);
});

test.each<[string, string]>([
  ["state", "1 MiB"],
  ["label", "public"],
  ["exec", '"a.js"'],
])("`%s` of a service may be written only once", async (word, value) => {
  const { findings } = await boundPage(service(`${word} ${value}  ${word} ${value}`));
  expect(findings.map(({ message }) => message)).toEqual([
    `\`${word}\` is a duplicate of the entry at system.cap:4:27`,
  ]);
});

test.each<[string, string]>([
  ["returns", "public"],
  ["sends", "public"],
  ["redact", '"a"'],
  ["truncate", "1 KiB"],
  ["says", '"a"'],
])("`%s` of a method may be written only once", async (word, value) => {
  const { findings } = await boundPage(
    renderFactsPage({ top: `interface Board { method post : readOnly ${word} ${value} ${word} ${value} }` }),
  );
  expect(findings.map(({ message }) => message)).toEqual([
    `\`${word}\` is a duplicate of the entry at system.cap:3:44`,
  ]);
});

test.each<[string, string]>([
  ["storage", 'disk "d"'],
  ["network", "address dhcp"],
  ["image", "target linux"],
])("a page may have only one `%s`", async (word, value) => {
  const { findings } = await boundPage(settings(`${word} { ${value} }\n${word} { ${value} }`));
  expect(findings.map(({ message }) => message)).toEqual([`\`${word}\` is a duplicate of the entry at system.cap:7:3`]);
});

test.each<[string, string]>([
  ["target", "linux"],
  ["machine", "vm"],
  ["console", "serial"],
  ["firmware", "bios"],
  ["trust", "media"],
  ["memory", "1 GiB"],
  ["kernel", '"k"'],
  ["limine", '"l"'],
  ["hostname", '"h"'],
  ["motd", '"m"'],
  ["log", "info"],
  ["exits", "notes"],
  ["init", "console"],
  ["restart", '"a"'],
])("the setting `%s` may be written only once", async (word, value) => {
  const { findings } = await boundPage(settings(`image { ${word} ${value}  ${word} ${value} }`));
  expect(findings.map(({ message }) => message)).toEqual([
    `\`${word}\` is a duplicate of the entry at system.cap:7:11`,
  ]);
});

test("a principal may have only one passphrase", async () => {
  const { findings } = await boundPage(renderFactsPage({ top: 'principal a { passphrase "one"  passphrase "two" }' }));
  expect(findings.map(({ message }) => message)).toEqual([
    "`passphrase` is a duplicate of the entry at system.cap:3:17",
  ]);
});

test.each<[string, string]>([
  ["", "it is empty"],
  [`${ALICE}${ALICE}`, "it holds more than one line; give each principal's key a file of its own"],
])("an unusable key is reported with its file: %j", async (key, reason) => {
  const { text, spans } = stripMarks(renderFactsPage({ top: 'principal a { ssh «"keys/a.pub"» }' }));
  const { findings } = await boundPage(text, { "/keys/a.pub": key });
  expect(findings.map(({ message }) => message)).toEqual([
    `\`keys/a.pub\` does not contain a usable public key: ${reason}`,
  ]);
  expect(findings.map(({ span: { start, end } }) => ({ start, end }))).toEqual(spans);
});

test("a page without a system has one finding, and a misspelt keyword `system` adds none", async () => {
  const { findings } = await boundPage("use std.tools\n");
  expect(findings.map(({ message }) => message)).toEqual(["the page declares no system"]);
  expect((await boundPage("sytem s { }")).findings).toEqual([]);
});
