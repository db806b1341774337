// A console without a screen. It records the output, and a test types and answers in place of a person.
import type { Duplex } from "node:stream";
import {
  type Answer,
  Approval,
  type Notice,
  type Question,
  type Speaker,
  Terminal,
} from "../../../engine/lib/wire/generated/wire.ts";
import { implement, serveInterface } from "../../../engine/lib/wire/index.ts";

export type ConsoleOutput =
  | { readonly what: "text"; readonly speaker: Speaker; readonly text: string }
  | { readonly what: "question"; readonly question: Question }
  | { readonly what: "lock" }
  | { readonly what: "notice"; readonly notice: Notice };

/** Returns the text that the model wrote to the console. */
export function collectSpoken(drawn: readonly ConsoleOutput[]): string {
  return drawn.map((one) => (one.what === "text" && one.speaker === "model" ? one.text : "")).join("");
}

/** Returns the outcomes of the calls that ended. */
export function collectOutcomes(drawn: readonly ConsoleOutput[]): readonly string[] {
  return drawn.flatMap((one) => (one.what === "notice" && one.notice.stage === "finished" ? [one.notice.outcome] : []));
}

/** Signs the challenge of a step-up or a login, or returns an invalid signature. */
export type Signs = (challenge: string) => string;

export class FakeConsole {
  readonly drawn: ConsoleOutput[] = [];
  /** Answers of the person to the questions, in order. If no answer is left, a question stays unanswered. */
  readonly answers: (Answer | Signs)[] = [];
  /** Notifies the gate that a turn begins, as the console does before it sends a line to the loop. */
  beginTurn: (line?: string) => Promise<unknown> = async () => {};
  #read = Promise.withResolvers<(line: string, after: "more" | "end") => void>();
  #pressed = Promise.withResolvers<void>();
  #watchers = new Set<(drawn: ConsoleOutput) => void>();

  /**
   * Types a line as soon as the loop asks for one. Waits until the loop asks for the next line, which ends the turn,
   * and returns the outputs of the turn.
   */
  async say(line: string): Promise<readonly ConsoleOutput[]> {
    const from = this.drawn.length;
    await this.begin(line);
    await this.#read.promise;
    return this.drawn.slice(from);
  }

  /** Types a line as soon as the loop asks for one, and does not wait for the end of the turn. */
  async begin(line: string): Promise<void> {
    const read = await this.#read.promise;
    this.#read = Promise.withResolvers();
    await this.beginTurn(line);
    read(line, "more");
  }

  async leave(): Promise<void> {
    (await this.#read.promise)("", "end");
  }

  /** Waits until the loop asks for a line. */
  async waitUntilIdle(): Promise<void> {
    await this.#read.promise;
  }

  pressInterrupt(): void {
    this.#pressed.resolve();
    this.#pressed = Promise.withResolvers();
  }

  /** Waits until the console draws an output that `wanted` accepts. Ignores the first `from` outputs. */
  async waitFor(wanted: (drawn: ConsoleOutput) => boolean, from = 0): Promise<void> {
    if (this.drawn.slice(from).some(wanted)) return;
    await new Promise<void>((resolve) => {
      const watchDrawn = (drawn: ConsoleOutput) => {
        if (!wanted(drawn)) return;
        this.#watchers.delete(watchDrawn);
        resolve();
      };
      this.#watchers.add(watchDrawn);
    });
  }

  serve(stream: Duplex, interfaceId: bigint): void {
    serveInterface(stream, [interfaceId === Terminal.id ? this.#terminal() : this.#approval()]);
  }

  #draw(drawn: ConsoleOutput): void {
    this.drawn.push(drawn);
    for (const watcher of this.#watchers) watcher(drawn);
  }

  #terminal() {
    return implement(Terminal, {
      readLine: (_, { signal }) =>
        new Promise((resolve) => {
          const read = this.#read;
          read.resolve((line, after) => resolve({ line, end: after === "end" }));
          // If the loop has ended, it does not read the line; the new loop that replaces it reads the line.
          signal.addEventListener("abort", () => {
            if (this.#read === read) this.#read = Promise.withResolvers();
          });
        }),
      write: async ({ text, speaker }) => {
        this.#draw({ what: "text", speaker, text });
        return {};
      },
      awaitInterrupt: async (_, { signal }) => {
        await Promise.race([this.#pressed.promise, waitForAbort(signal)]);
        return {};
      },
    });
  }

  #approval() {
    return implement(Approval, {
      ask: async ({ question }, { signal }) => {
        this.#draw({ what: "question", question });
        const answer = this.answers.shift();
        if (typeof answer === "function") return { answer: "granted", signature: answer(question.challenge) };
        if (answer === undefined) await Promise.race([this.#pressed.promise, waitForAbort(signal)]);
        return { answer: answer ?? "cancelled", signature: "" };
      },
      announce: async ({ notice }) => {
        this.#draw({ what: "notice", notice });
        return {};
      },
      lock: async () => {
        this.#draw({ what: "lock" });
        return {};
      },
      awaitInterrupt: async (_, { signal }) => {
        await Promise.race([this.#pressed.promise, waitForAbort(signal)]);
        return {};
      },
    });
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
