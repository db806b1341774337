// Generates the text of random pages for upstream's kernel, with services and their capabilities, people, sessions and rules. The pages
// comply with every law, so the compiler accepts them.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { KERNEL_SOURCES, type KernelSource, UNCONFIGURED } from "../../contract/kernel-sources.ts";
import { RESTARTS } from "../../contract/upstream-plan.ts";
import { DISCLOSURES } from "../../contract/upstream-words.ts";

interface RandomPage {
  readonly text: string;
  /** Files that the page names, by their paths below the folder of the page. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** Returns random pages. `program` contains the bytes of a program that upstream's loader would accept. */
export function randomPages(program: Uint8Array): fc.Arbitrary<RandomPage> {
  return fc
    .array(fc.nat(0xffff), { minLength: 400, maxLength: 400 })
    .map((numbers) => new Drawing(numbers).page(program));
}

/** Methods that a service of the page may serve, each with the name of its text argument, if it has one. */
const FACES: Readonly<Record<string, readonly (readonly [method: string, argument: string])[]>> = {
  Clock: [["now", ""]],
  Logs: [
    ["tail", ""],
    ["follow", "pattern"],
  ],
  Echo: [["echo", "text"]],
  Calculator: [["calc", "expression"]],
  Status: [["show", ""]],
  Services: [
    ["list", ""],
    ["restart", ""],
  ],
};

const KINDS = ["operator", "guest", "anonymous", "service"];
const MODES = ["auto", "consent", "forbidden", "stepUp"];
/** Labels for services. All services of one page get the same label, so that data may flow between them. */
const LABELS = [
  "",
  "",
  "label internal/reviewed",
  "label secret:{finance}",
  "label internal:{finance} .. secret:{finance, hr}",
];

/**
 * Kinds of proof that a session may require at a login. A session of kind `service` never requires a key, because in
 * upstream no key opens an account of this kind.
 */
const LOGINS = ["none", "passphrase", "key"];
const TIMES = ["7 ms per call", "90 s per turn", "1 min per login", "15 min per login", "61001 ms per login"];
const GRANTED = KERNEL_SOURCES.filter(({ name, reach }) => reach !== "measurement" && !UNCONFIGURED.has(name));
const TERMINAL = "terminal_session";
const LISTEN = "tcp_listen_authority";
/** Maximum bytes of the name under which a process of upstream holds a capability. */
const MOST_NAME = 32;
/** Words that number the names. Digits are not used, because the compiler refuses two names that differ in only one character. */
const ORDINALS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(" ");

interface Service {
  readonly name: string;
  readonly face: string;
  readonly exports: readonly string[];
  readonly text: string;
}

class Drawing {
  readonly #numbers: readonly number[];
  #count = 0;
  #at = 0;
  #isTerminalTaken = false;
  #label = "";

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  page(program: Uint8Array): RandomPage {
    this.#label = this.#of(LABELS);
    const services = this.#services();
    const people = this.#some(4, () => this.#name("p"));
    const sessions = Array.from({ length: 1 + this.#below(4) }, () => this.#name("s"));
    const boot = sessions[this.#below(sessions.length)] ?? "";
    const name = this.#name("r");
    // `other` has no program, because capc's own runtime serves it. This runtime has no process in an upstream system,
    // so the block `image` does not name `other`; the sessions may use it.
    const other: Service = { name, face: "Status", exports: [], text: `service ${name} : Status { ${this.#label} }` };
    const answering = this.#is() ? [...services, other] : services;
    const blocks = sessions.map((each) => this.#session(each, each === boot, people, answering));
    const text = `system ${this.#name("x")} version "${this.#below(9)}.${this.#below(9)}.${this.#below(9)}" {
use std.tools
${this.#label === "" ? "" : "compartments { finance, hr }"}
${people.map((name) => `principal ${name} { ssh "keys/${name}.pub" passphrase "of ${name}" }`).join("\n")}
${answering.map((each) => each.text).join("\n")}
backend canned { stub clearance ${this.#label === "" ? "secret" : "secret:{finance, hr}"} }
${blocks.join("\n")}
storage { disk "capos-data" }
${this.#image(boot, services)}
}
`;
    const keys = people.map((name) => [`/keys/${name}.pub`, keyOf(name)] as const);
    const programs = [0, 1, 2].map(
      (index) => [`/services/run-${index}`, Buffer.concat([program, Buffer.of(index)])] as const,
    );
    return { text, files: Object.fromEntries([...keys, ...programs]) };
  }

  #below(limit: number): number {
    const drawn = this.#numbers[this.#at % this.#numbers.length] ?? 0;
    this.#at += 1;
    return drawn % limit;
  }

  #is(): boolean {
    return this.#below(2) === 1;
  }

  #of<T>(all: readonly T[]): T {
    const one = all[this.#below(all.length)];
    if (one === undefined) throw new Error("there is nothing to draw from");
    return one;
  }

  #some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.#below(most + 1) }, make);
  }

  /**
   * Returns a new name that does not resemble any other name. All names differ, so no account has the name of a session
   * that belongs to another account.
   */
  #name(kind: string): string {
    const letters = Array.from({ length: 1 + this.#below(6) }, () => "bcdfghjk"[this.#below(8)]).join("");
    this.#count += 1;
    return `${kind}${this.#is() ? "-" : "_"}${letters}_${ORDINALS[this.#count] ?? this.#count}`;
  }

  #services(): readonly Service[] {
    const services: Service[] = [];
    for (let left = 1 + this.#below(5); left > 0; left -= 1) services.push(this.#service(services));
    return services;
  }

  #service(before: readonly Service[]): Service {
    const name = this.#name("v");
    const face = this.#of(Object.keys(FACES));
    const sources = new Set(this.#some(5, () => this.#of(GRANTED)));
    const exports: string[] = [];
    const kernels = [...sources].flatMap((source) => this.#kernelGrant(source, exports));
    const providers = new Set(this.#some(3, () => before[this.#below(before.length || 1)]));
    const held = [...providers].flatMap((provider) => (provider === undefined ? [] : this.#serviceGrant(provider)));
    const lines = [`exec "services/run-${this.#below(3)}"`, this.#label, ...kernels, ...held];
    return { name, face, exports, text: `service ${name} : ${face} {\n${lines.join("\n")}\n}` };
  }

  #kernelGrant({ name, reach }: KernelSource, exports: string[]): readonly string[] {
    if (name === TERMINAL && this.#isTerminalTaken) return [];
    if (name === TERMINAL) this.#isTerminalTaken = true;
    // If init has only one grant of a kernel capability, upstream passes this grant on under any name. So a service's
    // grant may have another name than init's grant.
    const as = this.#is() || name.length > MOST_NAME ? `${name.slice(-20)} of it` : name;
    const isExported = (reach === "endpoint" || reach === "plain") && this.#is();
    if (isExported) exports.push(as);
    const words = [
      ...(as === name ? [] : [`as ${as}`]),
      ...(name === LISTEN ? ["badge 2222"] : []),
      ...this.#disclosed(),
      ...(isExported ? ["exported"] : []),
    ];
    return [grant(`kernel.${name}`, words)];
  }

  #serviceGrant({ name, exports }: Service): readonly string[] {
    if (exports.length === 0) return [];
    const badge = this.#below(4);
    const words = [
      `as to ${name}`.slice(0, 34),
      ...(badge === 0 ? [] : [`badge ${badge === 3 ? "18446744073709551614" : badge}`]),
      ...this.#disclosed(),
      ...(exports.length === 1 && this.#is() ? [] : [`export ${this.#of(exports)}`]),
    ];
    return [grant(name, words)];
  }

  #disclosed(): readonly string[] {
    return DISCLOSURES.filter(() => this.#below(4) === 0).map((word) => `discloses ${word}`);
  }

  #session(name: string, isBoot: boolean, people: readonly string[], services: readonly Service[]): string {
    const kind = this.#of(KINDS);
    const among = people.filter(() => this.#is());
    const login = among.length === 0 ? "none" : this.#of(LOGINS.slice(isBoot ? 0 : 1, kind === "service" ? 2 : 3));
    const isSigned = among.length > 0;
    const cells = services.flatMap(({ name: service, face }) =>
      (FACES[face] ?? []).flatMap(([method, argument]) => {
        if (this.#below(5) === 0) return [];
        const mode = this.#of(isSigned ? MODES : MODES.slice(0, 3));
        // A call that changes something never runs without a gate, because an inherited assertion about anonymous sessions requires a gate.
        return [
          { tool: `${service}.${method}`, argument, mode: method === "restart" && mode === "auto" ? "consent" : mode },
        ];
      }),
    );
    const hidden = cells.length > 1 && this.#is() ? cells.pop() : undefined;
    const lines = cells.map(
      ({ tool, argument, mode }) => `${mode} ${tool}${mode === "forbidden" ? "" : this.#condition(argument)}`,
    );
    const open = cells.find(({ mode }) => mode === "auto");
    return `session ${name} {
kind ${kind}
${among.length === 0 ? "" : `principals ${among.join(", ")}`}
${login === "none" ? "" : `login ${login}`}
clearance ${this.#of(this.#label === "" ? ["public", "internal", "secret", "secret/reviewed"] : ["secret:{finance}", "secret:{finance, hr}"])}
models { auto canned }
permit { ${lines.length === 0 ? "forbidden *" : lines.join("\n")} }
${open !== undefined && this.#is() ? `when ${this.#label === "" ? "" : "confidentiality >= internal and "}unattended { atLeast forbidden ${open.tool}${this.#checks(open.argument)} }` : ""}
${hidden !== undefined ? `suppress ${hidden.tool}` : ""}
${this.#is() ? `remember ${this.#of(["turn", "conversation"])}` : ""}
${this.#is() ? `quota { ${1 + this.#below(99)} ${this.#of(["tokens per turn", "tokens per login", "tokens per hour"])} }` : ""}
${this.#is() ? `timeout { ${this.#of([...TIMES, ...(login === "none" ? [] : ["14 min per idle", "61001 ms per idle"])])} }` : ""}
}`;
  }

  #condition(argument: string): string {
    const checks = this.#checks(argument);
    return checks === "" ? "" : `${checks} else forbidden`;
  }

  #checks(argument: string): string {
    if (argument === "" || this.#is()) return "";
    return ` where size(${argument}) <= ${1 + this.#below(60)} KiB`;
  }

  #image(boot: string, services: readonly Service[]): string {
    const all = GRANTED.filter(({ name }) => name !== TERMINAL);
    const init = all.map(({ name }) => {
      const as = name.length > MOST_NAME ? [`as ${name.slice(-MOST_NAME)}`] : [];
      return [name, ...as, ...(name === LISTEN ? ["badge 2222"] : []), ...this.#disclosed()].join(" ");
    });
    const restarts = services.flatMap(({ name }) => (this.#is() ? [`${name} ${this.#of(RESTARTS)}`] : []));
    const ends = services[this.#below(6)];
    return `image {
target capos
boot ${boot}
init ${init.map((word) => `"${word}"`).join(", ")}
${this.#is() ? `hostname "host-${this.#below(99)}.example"` : ""}
${this.#is() ? `motd "Number ${this.#below(99)}.\\n\\tAnd \\"so\\" on: \u00fc."` : ""}
${this.#is() ? `log ${this.#of(["debug", "info", "warn", "error"])}` : ""}
${restarts.length === 0 ? "" : `restart ${restarts.map((word) => `"${word}"`).join(", ")}`}
${ends === undefined ? "" : `exits ${ends.name}`}
${this.#is() ? "tables none" : ""}
}`;
  }
}

function grant(to: string, words: readonly string[]): string {
  return `grant ${to}${words.length === 0 ? "" : ` scope ${words.map((word) => `"${word}"`).join(", ")}`}`;
}

/** Returns a public key without a known private key. */
function keyOf(name: string): string {
  const strings = [Buffer.from("ssh-ed25519"), createHash("sha256").update(name).digest()];
  const blob = Buffer.concat(strings.flatMap((one) => [Buffer.of(0, 0, 0, one.length), one]));
  return `ssh-ed25519 ${blob.toString("base64")} ${name}\n`;
}
