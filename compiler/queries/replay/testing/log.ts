// Makes logs for tests in the form that gates and audit write. They have a hash chain, a seal at the start of the machine, and times of
// day.

import type { AuditEntry, CallRecord } from "../../../../engine/lib/wire/generated/audit.ts";
import { Chain, type Link, type Stamp } from "../../../../engine/processes/audit/chain.ts";
import {
  bootIdOf,
  bootOf,
  callOf,
  linked,
  POLICY_DIGEST,
  SEED,
  sealed,
} from "../../../../engine/processes/audit/testing/sample.ts";

type Call = Omit<Partial<CallRecord>, "descriptor" | "arguments">;

/** The fields of a call whose arguments are withheld. */
export const WITHHELD = { isWithheld: true, argumentsHash: new Uint8Array(32).fill(9), callId: "withheld" } as const;

const MORNING = Date.UTC(2027, 0, 30, 9);
const MINUTE = 60_000;

/** A log of one machine. Each record is a minute later than the previous record. */
export class SampleLog {
  readonly links: Link[] = [];
  readonly #chain = new Chain();
  readonly #digest: Uint8Array;
  #keys = { key: { epoch: 0, seed: SEED } };
  #boot = 0;
  #wallMs = MORNING;
  #bootMs = 0;

  constructor(digest: Uint8Array = POLICY_DIGEST) {
    this.#digest = digest;
  }

  boot(): this {
    this.#boot += 1;
    this.#bootMs = 0;
    this.#add(bootOf(this.#chain.open), "audit");
    this.links.push(sealed(this.#chain, this.#keys, this.#stamp("audit")));
    return this;
  }

  later(minutes: number): this {
    this.#wallMs += minutes * MINUTE;
    this.#bootMs += minutes * MINUTE;
    return this;
  }

  /** Adds a call that was sent, and returned. */
  ran(tool: string, args: object, fields: Call = {}): this {
    const call = callIn(tool, JSON.stringify(args), fields);
    const { sequence } = this.#add({ which: "intent", intent: call }, gateOf(fields)).record;
    this.#add({ which: "outcome", outcome: { ...call, intent: sequence } }, gateOf(fields));
    return this;
  }

  /** Adds a call that was sent, without a known outcome. */
  sent(tool: string, args: object, fields: Call = {}): this {
    this.#add({ which: "intent", intent: callIn(tool, JSON.stringify(args), fields) }, gateOf(fields));
    return this;
  }

  /** Adds a call that was sent and returned. Its arguments are withheld from the log. */
  withheld(tool: string, fields: Call = {}): this {
    const call = callIn(tool, "", { ...WITHHELD, ...fields });
    const { sequence } = this.#add({ which: "intent", intent: call }, gateOf(fields)).record;
    this.#add({ which: "outcome", outcome: { ...call, intent: sequence } }, gateOf(fields));
    return this;
  }

  /** Adds a call that was not sent. `args` is exactly the text in the record. */
  ended(tool: string, args: string, fields: Call): this {
    this.#add({ which: "outcome", outcome: callIn(tool, args, fields) }, gateOf(fields));
    return this;
  }

  denied(tool: string, args: object, fields: Call = {}): this {
    const denied = { decision: "denied", outcome: "deniedByUser", error: "the person said no" } as const;
    return this.ended(tool, JSON.stringify(args), { ...denied, ...fields });
  }

  event(event: string, detail: string, session = "operator"): this {
    this.#add(
      { which: "session", session: { name: session, event, detail, digest: new Uint8Array(0) } },
      `gate.${session}`,
    );
    return this;
  }

  #add(entry: AuditEntry, writer: string): Link {
    const link = linked(this.#chain, entry, this.#stamp(writer));
    this.links.push(link);
    return link;
  }

  #stamp(writer: string): Stamp {
    this.later(1);
    return {
      writer,
      bootId: bootIdOf(this.#boot),
      policyDigest: this.#digest,
      monotonicMs: BigInt(this.#bootMs),
      wallMs: BigInt(this.#wallMs),
      wallSource: "rtc",
    };
  }
}

function gateOf({ session = "operator" }: Call): string {
  return `gate.${session}`;
}

function callIn(tool: string, args: string, fields: Call): CallRecord {
  const { descriptor, ...plain } = callOf();
  return { ...plain, rule: "", ...fields, arguments: args, descriptor: { ...descriptor, name: tool } };
}
