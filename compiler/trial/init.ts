// Stands for init: starts the processes of a plan as programs of this process, connects them by pairs of streams exactly as the manifest
// grants, and restarts them as their roles say. No process is isolated from another.

import { freemem } from "node:os";
import { type Duplex, duplexPair } from "node:stream";
import { ROLES, type Role } from "../../engine/lib/roles/index.ts";
import type { IncomingGrant } from "../../engine/lib/wire/capset.ts";
import type { Grant, Process } from "../../engine/lib/wire/generated/manifest.ts";
import { AuditLog, Session, Supervisor } from "../../engine/lib/wire/generated/wire.ts";
import { implement, makeFailure, serveInterface } from "../../engine/lib/wire/index.ts";
import type { Program } from "../../engine/lib/wire/program.ts";
import { Renewable } from "../../engine/lib/wire/renewable.ts";
import { createHostCapset, type Handed, type HostCapset } from "./capset.ts";
import { LineLog } from "./line-log.ts";

const INIT = "init";

/** A process of the plan with the program that it runs. */
export interface Planned {
  readonly process: Process;
  readonly role: Role;
  /** Its arguments behind those of Node. */
  readonly words: readonly string[];
  readonly handed: Handed;
  /** Absent for a process that is not started here: its holders find it closed. */
  readonly program: Program | undefined;
}

interface Surroundings {
  readonly bootId: string;
  readonly resolvers: string;
  /** Milliseconds of a clock that never runs backwards. */
  readonly now: () => number;
  /** The console, which is not a process here. */
  readonly console: { readonly receive: (grant: IncomingGrant) => void };
  /** Receives what init has to tell the person. */
  readonly tell: (line: string) => void;
  /** Called once, with the reason, if a process died without which an image does not run. */
  readonly onBroken: (reason: string) => void;
}

interface Connected {
  readonly holder: string;
  readonly name: string;
  readonly provider: string;
  /** Both ends; the first is the holder's. */
  readonly ends: readonly [Duplex, Duplex];
}

interface Started {
  readonly planned: Planned;
  capset: HostCapset;
  isAlive: boolean;
  /** Times of its restarts, in milliseconds. */
  restarts: number[];
}

/** Names of the person's console, which holds sessions and serves gates and loops. */
const CONSOLE = "console";

export class HostInit {
  readonly #started = new Map<string, Started>();
  readonly #around: Surroundings;
  readonly #log = new LineLog();
  #connected: Connected[] = [];
  #isEnding = false;
  #audit: Renewable | undefined;

  constructor(planned: readonly Planned[], around: Surroundings) {
    this.#around = around;
    for (const one of planned) {
      const capset = createHostCapset(one.process.name, one.handed);
      this.#started.set(one.process.name, { planned: one, capset, isAlive: one.program !== undefined, restarts: [] });
    }
    for (const { planned: one, capset } of this.#started.values())
      for (const grant of one.process.grants)
        capset.hold(grant.name, grant.interfaceId, this.#connect(one.process, grant));
  }

  /** Starts all programs, and resolves when each serves or has given up. */
  async start(): Promise<void> {
    const all = [...this.#started.values()].filter(({ isAlive }) => isAlive);
    for (const one of all) this.#run(one);
    await Promise.all(all.map(({ capset }) => capset.ready));
  }

  /** Returns the console's end of a connection to init. */
  connectSupervisor(): Duplex {
    const [mine, end] = duplexPair();
    this.#serve(end, CONSOLE);
    return mine;
  }

  /** Returns the console's end of a connection to the gate of a session. */
  connectConsole(session: string): Duplex {
    const grant = { name: `session.${session}`, provider: `gate.${session}`, interfaceId: Session.id, badge: 0n };
    return this.#connect({ name: CONSOLE }, { ...grant, expiresAfterSeconds: 0, origin: "" });
  }

  /** Ends all processes in the reverse order of their start, each after what it still has to do. */
  async end(): Promise<void> {
    this.#isEnding = true;
    for (const { planned, capset, isAlive } of [...this.#started.values()].reverse()) {
      if (!isAlive) continue;
      await capset.stop();
      // The audit writes its last record after all others have ended.
      if (planned.role !== "audit") await this.#disconnect(planned.process.name);
    }
    for (const { ends } of this.#connected) for (const end of ends) end.destroy();
  }

  #run(started: Started): void {
    const { planned, capset } = started;
    const { name } = planned.process;
    const { bootId, resolvers } = this.#around;
    const isCurrent = (): boolean => started.capset === capset && started.isAlive && !this.#isEnding;
    const giveUp = (reason: string): void => {
      if (isCurrent()) this.#died(started, reason);
    };
    const log = (line: string): void => this.#log.add(`${name}: ${line}`);
    const run = async (): Promise<void> =>
      await planned.program?.(capset.capset, { words: planned.words, bootId, resolvers, log, giveUp });
    // As in an image, a program that fails is a process that dies, and its error is its last output.
    void run().catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)));
    void capset.ready.then(() => {
      if (isCurrent()) this.#log.add(`${name} ready`);
    });
  }

  /** Returns the holder's end of a new connection for a grant. */
  #connect(
    { name: holder }: Pick<Process, "name">,
    { name, provider, badge, interfaceId, expiresAfterSeconds }: Grant,
  ): Duplex {
    const ends = duplexPair();
    const [mine, theirs] = ends;
    this.#connected.push({ holder, name, provider, ends });
    if (expiresAfterSeconds > 0) setTimeout(() => theirs.destroy(), expiresAfterSeconds * 1000).unref();
    const grant = { stream: theirs, badge, interfaceId, holder, name };
    const other = this.#started.get(provider);
    if (provider === INIT) this.#serve(theirs, holder);
    else if (provider === CONSOLE) this.#around.console.receive(grant);
    else if (other?.isAlive === true) other.capset.receive(grant);
    else theirs.destroy();
    return mine;
  }

  /** Ends all connections of a process. Resolves when both sides of each have noticed it. */
  async #disconnect(process: string): Promise<void> {
    const isOf = ({ holder, provider }: Connected): boolean => holder === process || provider === process;
    const ends = this.#connected.filter(isOf).flatMap((one) => one.ends);
    this.#connected = this.#connected.filter((one) => !isOf(one));
    for (const end of ends) end.destroy();
    await Promise.all(ends.map((end) => end.closed || new Promise((resolve) => end.once("close", resolve))));
  }

  /** Notes the end of a process that gave up, and restarts it within the limits of the manifest. */
  #died(started: Started, reason: string): void {
    const { process, role } = started.planned;
    const { most, withinSeconds, pauseMs } = process.restart;
    started.isAlive = false;
    started.capset.capset.ready();
    void this.#disconnect(process.name);
    this.#tell(`${process.name} stopped (${reason})`);
    if (ROLES[role].restart === "never") {
      this.#around.onBroken(`${process.name} stopped (${reason})`);
      return;
    }
    const now = this.#around.now();
    started.restarts = started.restarts.filter((at) => now - at < withinSeconds * 1000);
    if (started.restarts.length >= most) {
      this.#tell(`${process.name} stays stopped: it has died too often`);
      return;
    }
    started.restarts.push(now);
    setTimeout(() => {
      if (!started.isAlive && !this.#isEnding) this.#restart(started);
    }, pauseMs).unref();
  }

  /** Starts a process again, and gives each of its holders a new connection. */
  #restart(started: Started): void {
    const { process, handed, role } = started.planned;
    // Threads of the old one end. An audit that dies writes no last record.
    if (role !== "audit") void started.capset.stop();
    started.capset = createHostCapset(process.name, handed);
    started.isAlive = true;
    for (const grant of process.grants)
      started.capset.hold(grant.name, grant.interfaceId, this.#connect(process, grant));
    for (const { planned, capset, isAlive } of this.#started.values())
      for (const grant of planned.process.grants)
        if (isAlive && grant.provider === process.name) capset.renew(grant.name, this.#connect(planned.process, grant));
    if (process.name === "audit") this.#audit = undefined;
    this.#run(started);
  }

  #tell(line: string): void {
    this.#log.add(line);
    this.#around.tell(line);
  }

  #serve(stream: Duplex, holder: string): void {
    const role = holder === CONSOLE ? CONSOLE : (this.#started.get(holder)?.planned.role ?? CONSOLE);
    const isAllowed = (method: (typeof ROLES)[Role]["asksInit"][number]): boolean =>
      (ROLES[role].asksInit as readonly string[]).includes(method);
    const refused = async () => makeFailure("failed", `${holder} may not ask init for that`);
    serveInterface(stream, [
      implement(Supervisor, {
        revoke: async ({ name }) => this.#revoke(holder, name),
        stop: isAllowed("stop") ? async ({ name }) => this.#stop(name) : refused,
        restart: isAllowed("restart") ? async ({ name }) => await this.#restartFor(role, holder, name) : refused,
        facts: isAllowed("facts") ? async () => this.#describe() : refused,
        readLog: isAllowed("readLog") ? async ({ after }) => await this.#log.readAfter(after) : refused,
        readNotices: refused,
      }),
    ]);
  }

  #revoke(holder: string, name: string) {
    const found = this.#connected.findLast((one) => one.holder === holder && one.name === name);
    if (found === undefined) return makeFailure("failed", `${holder} holds no ${name}`);
    for (const end of found.ends) end.destroy();
    return {};
  }

  #stop(name: string) {
    const started = this.#started.get(name);
    if (started?.isAlive !== true) return makeFailure("failed", `no process named ${name} runs`);
    started.isAlive = false;
    void this.#disconnect(name);
    if (started.planned.role !== "audit") void started.capset.stop();
    this.#log.add(`${name} stopped (signal 9)`);
    this.#record(name, "stopped", "signal 9");
    return {};
  }

  async #restartFor(role: Role, holder: string, name: string) {
    const started = this.#started.get(name);
    const isOwnLoop = role === "gate" && name === holder.replace(/^gate\./, "loop.");
    if (started === undefined) return makeFailure("failed", `there is no process named ${name}`);
    if (started.planned.program === undefined) return makeFailure("failed", `${name} runs in a machine alone`);
    const isRestartable = ROLES[started.planned.role].restart === "soon";
    if (!isRestartable) return makeFailure("failed", `${name} is never started again`);
    const isTool = ROLES[started.planned.role].kind === "service";
    const isHeld = this.#started.get(holder)?.planned.process.grants.some((grant) => grant.provider === name) === true;
    // A gate asks only for a provider that lives and no longer serves it.
    const isCutOff = isTool && isHeld && started.isAlive;
    const isMay = role === CONSOLE || isOwnLoop || (role === "services" ? isTool : isCutOff);
    if (!isMay) return makeFailure("failed", `${holder} may not restart ${name}`);
    const wasAlive = started.isAlive;
    started.isAlive = false;
    await this.#disconnect(name);
    if (wasAlive) {
      this.#log.add(`${name} stopped (signal 9), and is started again`);
      this.#record(name, "stopped", "signal 9");
    }
    this.#restart(started);
    this.#record(name, "started again", "");
    await started.capset.ready;
    return {};
  }

  /** Records an event of a process, as init does. It does not wait for the record. */
  #record(name: string, event: string, detail: string): void {
    const audit = this.#started.get("audit");
    if (audit?.isAlive !== true) return;
    const grant = { name: "audit", provider: "audit", interfaceId: AuditLog.id, badge: 0n };
    this.#audit ??= new Renewable(this.#connect({ name: INIT }, { ...grant, expiresAfterSeconds: 0, origin: "" }));
    const entry = { which: "session", session: { name, event, detail } } as const;
    void this.#audit.connection.call(AuditLog.methods.append, { entry });
  }

  #describe() {
    const processes = [...this.#started.values()].map(({ planned, isAlive }) => {
      return { name: planned.process.name, role: planned.role, alive: isAlive };
    });
    const uptimeSeconds = BigInt(Math.trunc(process.uptime()));
    return { uptimeSeconds, memoryFreeBytes: BigInt(freemem()), processes };
  }
}
