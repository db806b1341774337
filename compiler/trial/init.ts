// Replaces init. Starts the processes of a plan inside this program, connects them by pairs of streams as the manifest
// grants, and restarts them as their roles require. The processes are not isolated from each other.

import { freemem } from "node:os";
import { type Duplex, duplexPair } from "node:stream";
import { ROLES, type Role } from "../../engine/lib/roles/index.ts";
import type { IncomingGrant } from "../../engine/lib/wire/capset.ts";
import type { Grant, Process } from "../../engine/lib/wire/generated/manifest.ts";
import { AuditLog, Session, Supervisor } from "../../engine/lib/wire/generated/wire.ts";
import { type Connection, connect, implement, makeFailure, serveInterface } from "../../engine/lib/wire/index.ts";
import type { Program } from "../../engine/lib/wire/program.ts";
import { runAfter } from "../../engine/processes/gate/deadline.ts";
import { createHostCapset, type Handed, type HostCapset } from "./capset.ts";
import { LineLog } from "./line-log.ts";

const INIT = "init";
const NOTHING = new Uint8Array();

/** A process of the plan, with its program. */
export interface Planned {
  readonly process: Process;
  readonly role: Role;
  /** Arguments of the process, without those of Node. */
  readonly words: readonly string[];
  readonly handed: Handed;
  /**
   * Program of the process. If the process does not run here, this is `undefined`, and the clients of the process find
   * their connections closed.
   */
  readonly program: Program | undefined;
}

interface Surroundings {
  readonly bootId: string;
  readonly resolvers: string;
  /** Milliseconds of a clock that never runs backwards. */
  readonly now: () => number;
  /** The console, which is a part of this program and not a planned process. */
  readonly console: { readonly receive: (grant: IncomingGrant) => void };
  /** Receives messages of init for the person. */
  readonly tell: (line: string) => void;
  /** Called once, with the reason, if a process died that is never restarted. The trial cannot continue then. */
  readonly onBroken: (reason: string) => void;
}

interface Connected {
  /** Holder and name of the grant, as the log shows them. */
  readonly grant: string;
  readonly holder: string;
  readonly provider: string;
  /** Both ends of the connection, the client's end first. */
  readonly ends: readonly [Duplex, Duplex];
}

interface Started {
  readonly planned: Planned;
  capset: HostCapset;
  isAlive: boolean;
  /** Times at which the process was restarted, in milliseconds. */
  restarts: number[];
}

/** Name of the console as a client of gates and as a server of loops and gates. */
const CONSOLE = "console";

export class HostInit {
  readonly #started = new Map<string, Started>();
  readonly #around: Surroundings;
  readonly #log = new LineLog();
  /** Whether each grant is revoked or expired. A revoked or expired grant stays closed after any restart. */
  readonly #isOver = new Map<string, boolean>();
  #connected: Connected[] = [];
  #isEnding = false;
  #audit: Connection | undefined;

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

  /** Starts all programs. Resolves when each of them is ready or has failed. */
  async start(): Promise<void> {
    const all = [...this.#started.values()].filter(({ isAlive }) => isAlive);
    for (const one of all) this.#run(one);
    await Promise.all(all.map(({ capset }) => capset.ready));
  }

  /** Returns the client end of a new connection from the console to init. */
  connectSupervisor(): Duplex {
    const [mine, end] = duplexPair();
    this.#serve(end, CONSOLE);
    return mine;
  }

  /** Returns the client end of a new connection from the console to the gate of a session. */
  connectConsole(session: string): Duplex {
    const grant = { name: `session.${session}`, provider: `gate.${session}`, interfaceId: Session.id, badge: 0n };
    return this.#connect({ name: CONSOLE }, { ...grant, expiresAfterSeconds: 0, origin: "" });
  }

  /** Ends all processes in the reverse order of their start. Each process first does its last work. */
  async end(): Promise<void> {
    this.#isEnding = true;
    for (const { planned, capset, isAlive } of [...this.#started.values()].reverse()) {
      if (!isAlive) continue;
      await capset.stop();
      // The audit process stays connected, because it writes its last record after all others have ended.
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
    // As in an image, an exception in a program means that its process has died. The error is the reason.
    void run().catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)));
    void capset.ready.then(() => {
      if (isCurrent()) this.#log.add(`${name} ready`);
    });
  }

  /**
   * Returns the client end of a new connection for a grant. If the grant is revoked or expired, the connection is
   * closed.
   */
  #connect(
    { name: holder }: Pick<Process, "name">,
    { name, provider, badge, interfaceId, expiresAfterSeconds }: Grant,
  ): Duplex {
    const ends = duplexPair();
    const [mine, theirs] = ends;
    const granted = nameGrant(holder, name);
    this.#connected.push({ grant: granted, holder, provider, ends });
    if (!this.#isOver.has(granted)) {
      this.#isOver.set(granted, false);
      if (expiresAfterSeconds > 0) runAfter(expiresAfterSeconds * 1000, () => this.#expire(granted));
    }
    const grant = { stream: theirs, badge, interfaceId, holder, name };
    const other = this.#started.get(provider);
    if (this.#isOver.get(granted) === true) theirs.destroy();
    else if (provider === INIT) this.#serve(theirs, holder);
    else if (provider === CONSOLE) this.#around.console.receive(grant);
    else if (other?.isAlive === true) other.capset.receive(grant);
    else theirs.destroy();
    return mine;
  }

  /** Closes all connections of a process. Resolves when both ends of each connection are closed. */
  async #disconnect(process: string): Promise<void> {
    const isOf = ({ holder, provider }: Connected): boolean => holder === process || provider === process;
    const ends = this.#connected.filter(isOf).flatMap((one) => one.ends);
    this.#connected = this.#connected.filter((one) => !isOf(one));
    for (const end of ends) end.destroy();
    await Promise.all(ends.map((end) => end.closed || new Promise((resolve) => end.once("close", resolve))));
  }

  /**
   * Handles the death of a process. Restarts the process, unless its role is never restarted or it has died more often
   * than the manifest allows.
   */
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

  /** Starts a process again, and gives each of its clients a new connection. */
  #restart(started: Started): void {
    const { process, handed, role } = started.planned;
    // The threads of the old process end with it. An audit process that died must not write a last record, so it is not
    // asked to stop.
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
    const grant = nameGrant(holder, name);
    if (this.#isOver.get(grant) !== false) return makeFailure("failed", `${holder} holds no ${name}`);
    this.#endGrant(grant);
    this.#log.add(`${grant} revoked`);
    return {};
  }

  #expire(grant: string): void {
    if (this.#isEnding || this.#isOver.get(grant) === true) return;
    this.#endGrant(grant);
    this.#tell(`${grant} expired`);
  }

  #endGrant(grant: string): void {
    this.#isOver.set(grant, true);
    for (const one of this.#connected) if (one.grant === grant) for (const end of one.ends) end.destroy();
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
    // The service `services`, through which a tool call restarts other processes, cannot restart itself, because it
    // would never receive the result.
    const isTool = ROLES[started.planned.role].kind === "service" && started.planned.role !== "services";
    if (role === "services" && !isTool) return makeFailure("failed", `${name} is no service`);
    const isRestartable = ROLES[started.planned.role].restart === "soon";
    if (!isRestartable) return makeFailure("failed", `${name} is never started again`);
    const isHeld = this.#started.get(holder)?.planned.process.grants.some((grant) => grant.provider === name) === true;
    // A gate may request a restart only of a tool provider that it is connected to. It does so if the provider is alive
    // but no longer responds.
    const isCutOff = (isTool || started.planned.role === "services") && isHeld && started.isAlive;
    const isAllowed = role === CONSOLE || role === "services" || isOwnLoop || isCutOff;
    if (!isAllowed) return makeFailure("failed", `${holder} may not restart ${name}`);
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

  /** Records an event of a process in the audit log, as init does. It does not wait until the record is written. */
  #record(name: string, event: string, detail: string): void {
    const audit = this.#started.get("audit");
    if (audit?.isAlive !== true) return;
    const grant = { name: "audit", provider: "audit", interfaceId: AuditLog.id, badge: 0n };
    this.#audit ??= connect(this.#connect({ name: INIT }, { ...grant, expiresAfterSeconds: 0, origin: "" }));
    const entry = { which: "session", session: { name, event, detail, digest: NOTHING } } as const;
    void this.#audit.call(AuditLog.methods.append, { entry });
  }

  #describe() {
    const processes = [...this.#started.values()].map(({ planned, isAlive }) => {
      // A program that runs in this process serves calls as soon as it is started.
      return { name: planned.process.name, role: planned.role, alive: isAlive, serves: isAlive };
    });
    const uptimeSeconds = BigInt(Math.trunc(process.uptime()));
    return { uptimeSeconds, memoryFreeBytes: BigInt(freemem()), processes };
  }
}

function nameGrant(holder: string, name: string): string {
  return `${holder}.${name}`;
}
