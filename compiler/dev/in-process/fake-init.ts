// Replaces init in tests without a machine. It knows which process holds each connection between processes, and closes
// a connection if its holder asks for this. It keeps a log of its lines.
import type { Duplex } from "node:stream";
import { type LogLine, Supervisor } from "../../../engine/lib/wire/generated/wire.ts";
import { implement, makeFailure, serveInterface } from "../../../engine/lib/wire/index.ts";

/** One granted connection; `end` is the provider's end. */
interface Granted {
  readonly holder: string;
  readonly name: string;
  readonly provider: string;
  readonly end: Duplex;
}

export class FakeInit {
  readonly #grants: Granted[] = [];
  /** Functions that give the holders of a process a new connection to it. */
  readonly #renewals: { readonly provider: string; readonly renew: () => void }[] = [];
  readonly #lines: LogLine[] = [];
  /** Functions that restart a process, by the name of the process. A gate may request a restart of its loop. */
  readonly #starts = new Map<string, () => Promise<void>>();
  /** Function that is called for each message on a granted connection, before the receiver handles the message. */
  onMessage: () => void = () => {};
  #said = Promise.withResolvers<void>();

  /** Adds a granted connection; `mine` is the holder's end. */
  add(granted: Granted, mine: Duplex): void {
    this.#grants.push(granted);
    for (const end of [granted.end, mine]) end.on("data", () => this.onMessage());
  }

  /** Simulates the death of a process: closes all connections that it provided or held. */
  kill(name: string): void {
    for (const { holder, provider, end } of this.#grants) if (holder === name || provider === name) end.destroy();
    this.say(`${name} stopped (signal 9)`);
  }

  /** Registers a process that can be restarted; `start` waits for the end of the old process, and starts a new one. */
  mayRestart(name: string, start: () => Promise<void>): void {
    this.#starts.set(name, start);
  }

  /** Registers a holder that needs a new connection after each restart of the process `provider`. */
  registerRenewal(provider: string, renew: () => void): void {
    this.#renewals.push({ provider, renew });
  }

  /** Gives each holder of a restarted process a new connection. */
  announceStart(name: string): void {
    for (const { provider, renew } of this.#renewals) if (provider === name) renew();
    this.say(`${name} ready`);
  }

  killAll(): void {
    for (const { end } of this.#grants) end.destroy();
  }

  say(text: string): void {
    this.#lines.push({ sequence: BigInt(this.#lines.length + 1), uptimeMs: 1000n, text });
    this.#said.resolve();
    this.#said = Promise.withResolvers();
  }

  serve(stream: Duplex, holder: string): void {
    const refuseHolder = async () => makeFailure("failed", "not for this holder");
    const handlers = {
      revoke: async ({ name }: { readonly name: string }) => {
        const granted = this.#grants.find((one) => one.holder === holder && one.name === name);
        granted?.end.destroy();
        return granted === undefined ? makeFailure("failed", "there is no such grant") : {};
      },
      stop: refuseHolder,
      restart: async ({ name }: { readonly name: string }) => {
        const start = this.#starts.get(name);
        const isOwn = holder.startsWith("gate.") && name === holder.replace("gate.", "loop.");
        if (start === undefined || !isOwn) return makeFailure("failed", "not for this holder");
        this.kill(name);
        await start();
        this.say(`${name} ready`);
        return {};
      },
      facts: async () => ({ uptimeSeconds: 1n, memoryFreeBytes: 2n, processes: [] }),
      readLog: ({ after }: { readonly after: bigint }) => this.#readLog(after),
      readNotices: refuseHolder,
    };
    serveInterface(stream, [implement(Supervisor, handlers)]);
  }

  async #readLog(after: bigint): Promise<{ readonly lines: readonly LogLine[] }> {
    while (this.#lines.length <= after) await this.#said.promise;
    return { lines: this.#lines.slice(Number(after)) };
  }
}
