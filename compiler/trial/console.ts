// Replaces the console of an image: it shows all output and prompts the person. Its lines and prompts equal those of
// the image's console, so that scripts of conversations work here too. It makes no decision about a call; the gates
// decide.

import { createHash, randomInt } from "node:crypto";
import type { Duplex } from "node:stream";
import type { IncomingGrant } from "../../engine/lib/wire/capset.ts";
import {
  type Answer,
  Approval,
  type Notice,
  type Piece,
  type Question,
  Session,
  type Speaker,
  type Standing,
  Supervisor,
  Terminal,
} from "../../engine/lib/wire/generated/wire.ts";
import { type Connection, implement, makeFailure, serveInterface } from "../../engine/lib/wire/index.ts";
import { escapeInvisible } from "../../lang/diagnostics/index.ts";
import { compareCodeUnits } from "../../lang/text/index.ts";
import { Screen, type Surface } from "./screen.ts";
import { describeStanding } from "./standing.ts";

/**
 * Kinds of input that a prompt requests. `line` is a line for the agent or a command, `question` an answer to a
 * question, and `signature` one line of a signature.
 */
export type PromptKind = "line" | "question" | "signature";

/** Receives the input of the person. */
export interface Person {
  readonly enter: (said: Said) => void;
  /** Reports that the person will type nothing more. */
  readonly end: () => void;
  /** Handles Ctrl-C. Returns `false` if there was nothing to stop. */
  readonly interrupt: () => boolean;
  /**
   * Returns the line, extended by the text that all possible completions have in common. Lists the completions above the
   * prompt if there are several.
   */
  readonly complete: (line: string) => Promise<string>;
  /**
   * Clears the window, and draws the earlier output again in the present size of the window. The user interface draws
   * its prompt afterwards.
   */
  readonly drawAgain: () => void;
}

export type Colours = "on" | "off";

export interface Front extends Surface {
  /** Sets the receiver of the person's input. */
  readonly attach: (person: Person) => void;
  /** Called when the console begins to process a line that the person has entered. */
  readonly taken: (line: string) => void;
  /**
   * Shows a prompt, or removes it if the argument is `undefined`. Later output appears above the prompt. `kept` is a
   * line to show behind the prompt, which the person may edit, send or delete.
   */
  readonly prompt: (
    prompt: { readonly text: string; readonly kind: PromptKind; readonly kept?: Said } | undefined,
  ) => void;
  /** Whether the person sees the screen while typing. If so, a command may be typed while an agent works. */
  readonly isLive: boolean;
  /** Called when the person has left. */
  readonly left: () => void;
  /**
   * Sets the text of the row below the prompt at which the person types a line; an empty text removes the row. The words are shown only if
   * drawn text can be replaced.
   */
  readonly status: (words: string) => void;
  /** Turns colours on or off. */
  readonly setColours: (colours: Colours) => void;
}

interface Open {
  readonly name: string;
  readonly connection: Connection;
  /** Whether an agent reads the lines for this session. */
  hasLoop: boolean;
  /** Passes the loop its next line, or `undefined` if the person has left. */
  reader: ((line: string | undefined) => void) | undefined;
  isLocked: boolean;
  isOver: boolean;
  /** Connection over which the loop uses its terminal. */
  loop: Duplex | undefined;
  /** Calls of the person that have no response yet. */
  readonly asked: Set<Errand>;
  /** Start time of the turn that runs, in milliseconds. */
  turn: number | undefined;
  /** State of the session, as last reported by its gate. */
  standing: Standing | undefined;
}

/** A command, or a line for the agent, that waits for its response. */
interface Errand {
  /** The command as the person typed it; empty for a line for the agent. */
  readonly line: string;
  /** Start time in milliseconds. */
  readonly since: number;
  /** Whether other calls waited at the same time. If so, the response is shown with its command. */
  hasOthers: boolean;
}

/** Maximum number of calls that may wait for responses at once. */
const MOST_ERRANDS = 8;

interface Asked {
  readonly session: Open;
  readonly question: Question;
  readonly letters: string;
  /** Letters that approve this call and all similar calls in the conversation. */
  readonly others: string;
  /** Whether an answer was mistyped; the next mistyped answer refuses the call. */
  isMistyped: boolean;
  readonly pasted: string[];
  readonly answer: (answer: Answer, signature?: string) => void;
}

/** A line that the person typed, in pieces that were typed or pasted. */
export interface Said {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** Rows of a window that belong to the prompt and to the status below it. */
const PROMPT_ROWS = 2;
/** Answers that refuse a call at once. */
const REFUSALS: readonly string[] = ["no", "n"];
/** Printed above a prompt that shows a line typed before a question. The players of scripts recognize this text. */
const KEPT = "typed before the question: Enter sends it, Ctrl-U drops it";
const LAST_SIGNATURE_LINE = "-----END SSH SIGNATURE-----";
const MOST_SIGNATURE_BYTES = 4096;
const SECOND_MS = 1000;
const SIGNED_COLUMNS = 70;
const HELP_COLUMNS = 76;
/** Maximum number of names in a list of completions. */
const MOST_LISTED = 60;
/** Help about the keys of the trial's terminal. */
const KEYS =
  "keys: those of Node's line editor; Ctrl-R searches older lines while you type, Ctrl-G ends this; Tab completes or lists; \\ before Enter continues the line; Ctrl-C stops";

const COMMANDS: readonly (readonly [name: string, usage: string])[] = [
  ["help", "/help [NAME]: list the commands, or explain one"],
  ["session", "/session NAME: talk to another session; without a name, list them"],
  ["colours", "/colours [on|off]: draw with colours and attributes, or without; NO_COLOR turns them off too"],
  ["stop", "/stop NAME: stop a process"],
  ["restart", "/restart NAME: restart a process"],
  ["exit", "/exit: leave, and end all processes"],
];

export class TrialConsole implements Person {
  readonly #front: Front;
  readonly #screen: Screen;
  readonly #sessions: Open[] = [];
  #supervisor: Connection | undefined;
  #current = 0;
  readonly #asked: Asked[] = [];
  #shown: Asked | undefined;
  #prompt = "";
  /** Lines that the person typed before they could be processed. */
  readonly #ahead: Said[] = [];
  /**
   * Lines that the person typed before a question. The next prompts show them again, and the person decides whether they
   * are sent.
   */
  readonly #kept: Said[] = [];
  /** Output that waits until the person has answered a question. */
  readonly #held: (() => void)[] = [];
  readonly #interrupts = new Set<() => void>();
  readonly #running = new Map<string, number>();
  #widget: string | undefined;
  #clock: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #hasLeft = false;

  constructor(front: Front) {
    this.#front = front;
    this.#screen = new Screen(front);
  }

  /** Draws the state and the duration of the work for which the person waits. */
  #drawState(): void {
    const session = this.#sessions[this.#current];
    if (session === undefined || this.#shown !== undefined || this.#prompt !== "" || this.#hasLeft) return;
    const [errand] = session.asked;
    const running = this.#widget === undefined ? undefined : this.#running.get(session.name);
    // While an agent's text grows on the screen, no state is drawn, because the person already sees that the agent works.
    if (running === undefined && this.#screen.isOpen()) return;
    const since = errand?.since ?? running ?? session.turn;
    const seconds = since === undefined ? 0 : Math.trunc((performance.now() - since) / SECOND_MS);
    if (seconds === 0) return;
    const command = /^\/\S+/.exec(errand?.line ?? "")?.[0];
    const words = command === undefined ? (running === undefined ? "thinking" : "running") : `waiting for ${command}`;
    const status = this.#describeStatus();
    this.#screen.state(`${words} ${seconds} s, Ctrl-C stops${status === "" ? "" : ` | ${status}`}`);
  }

  drawAgain(): void {
    this.#screen.drawAgain(Math.max(0, this.#front.rows() - PROMPT_ROWS));
    this.#showStatus();
  }

  /**
   * Asks the gate for the state of a session, after each event that may have changed the state. Does nothing without a
   * person at a terminal, because nobody would see the state.
   */
  async #askStanding(session: Open | undefined): Promise<void> {
    if (session === undefined || session.isOver || this.#hasLeft || !this.#front.isRewritable) return;
    const reply = await session.connection.call(Session.methods.standing, {});
    session.standing = reply.ok ? reply.value.standing : undefined;
    this.#showStatus();
  }

  #describeStatus(): string {
    const session = this.#sessions[this.#current];
    if (session?.standing === undefined) return "";
    return describeStanding(session.name, session.standing, this.#front.columns());
  }

  #showStatus(): void {
    if (!this.#hasLeft) this.#front.status(this.#describeStatus());
  }

  /** Connects the console to init and to the gates of its sessions. The first session becomes the current one. */
  connect(sessions: readonly Pick<Open, "name" | "connection" | "hasLoop">[], supervisor: Connection): void {
    this.#supervisor = supervisor;
    this.#clock = setInterval(() => this.#drawState(), SECOND_MS).unref();
    for (const one of sessions) {
      const session: Open = {
        ...one,
        ...{ reader: undefined, isLocked: false, isOver: false, loop: undefined, asked: new Set(), turn: undefined },
        standing: undefined,
      };
      this.#sessions.push(session);
      void session.connection.closed.then(() => this.#endSession(session));
    }
  }

  /** Serves the terminal to a loop, or the approval prompts to a gate. */
  receive({ stream, holder, interfaceId }: IncomingGrant): void {
    const [role = "", name = ""] = /^(\w+)\.(.+)$/.exec(holder)?.slice(1) ?? [];
    const getSession = () => this.#sessions.find((session) => session.name === name);
    if (role === "loop" && interfaceId === Terminal.id) {
      const serving = serveInterface(stream, [this.#createTerminal(getSession)]);
      const session = getSession();
      if (session !== undefined) this.#addLoop(session, stream);
      void serving.closed.then(() => {
        const left = getSession();
        if (left !== undefined && (left.loop === undefined || left.loop === stream))
          Object.assign(left, { reader: undefined, hasLoop: false, loop: undefined, turn: undefined });
        this.#settle();
      });
    } else if (role === "gate" && interfaceId === Approval.id)
      serveInterface(stream, [this.#createApproval(getSession)]);
    else stream.destroy();
  }

  /** Registers a loop that was started again. The new loop knows only the messages in the store. */
  #addLoop(session: Open, stream: Duplex): void {
    Object.assign(session, { hasLoop: true, loop: stream });
    this.#tell(`the agent of session ${session.name} begins anew, and reads only the open conversation`);
  }

  /** Marks a session as ended, because its gate has stopped. */
  #endSession(session: Open): void {
    if (session.isOver || this.#hasLeft) return;
    session.isOver = true;
    session.asked.clear();
    this.#tell(`session ${session.name} has ended: gate stopped`);
    session.reader?.(undefined);
    if (this.#sessions[this.#current] === session) this.#current = 0;
    this.#showStatus();
    this.#settle();
  }

  /** Shows the person a message of the command that runs the trial. */
  tell(text: string): void {
    this.#tell(text);
  }

  /** Draws the output that waits, and removes the prompt, because another console takes over the user interface. */
  close(): void {
    for (const draw of this.#held.splice(0)) draw();
    this.#hasLeft = true;
    clearInterval(this.#clock);
    this.#screen.fresh();
    this.#front.prompt(undefined);
  }

  /** Shows the person a message of init. */
  tellOfInit(text: string): void {
    this.#hold(() => this.#screen.line("capos: ", text));
  }

  /** Processes a line that the person has entered, or stores it until it can be processed. */
  enter(said: Said): void {
    if (this.#shown !== undefined) this.#judge(this.#shown, said.text);
    else if (this.#canTake(said)) this.#take(said);
    else this.#ahead.push(said);
    this.#settle();
  }

  /**
   * Registers that the person types nothing more. All entered lines are still processed; then the console reports that
   * the person has left.
   */
  end(): void {
    this.#hasEnded = true;
    if (this.#shown !== undefined) this.#answer(this.#shown, "timedOut", "refused: nobody is there to answer");
    this.#settle();
  }

  /**
   * Handles Ctrl-C: denies the open question, or stops the running work if there is no question. Returns `false` if
   * there was nothing to stop.
   */
  interrupt(): boolean {
    if (this.#shown !== undefined) {
      this.#answer(this.#shown, "cancelled", "refused");
      this.#settle();
      return true;
    }
    const isRunning = this.#sessions[this.#current]?.reader === undefined;
    for (const press of [...this.#interrupts]) press();
    this.#ahead.length = 0;
    this.#kept.length = 0;
    return isRunning;
  }

  async complete(line: string): Promise<string> {
    const choices = await this.#findCompletions(line);
    if (choices.length > 1) this.#tell(listNames(choices.map((choice) => choice.slice(findWord(line)).trim())));
    return choices.length === 0 ? line : shareBeginning(choices);
  }

  /** Returns possible completions, each as a whole line that begins with `line`. */
  async #findCompletions(line: string): Promise<readonly string[]> {
    const session = this.#sessions[this.#current];
    if (session === undefined || !line.startsWith("/")) return [];
    const reply = await session.connection.call(Session.methods.vocabulary, {});
    if (!reply.ok) return [];
    const { commands, tools, tasks, phases, conversations } = reply.value;
    const [command = "", ...behind] = line.slice(1).split(/\s+/);
    if (behind.length === 0) {
      const names = [...commands.map(({ name }) => name), ...COMMANDS.map(([name]) => name)];
      return [...new Set(names)].sort().flatMap((name) => (name.startsWith(command) ? [`/${name} `] : []));
    }
    const kind = commands.find(({ name }) => name === command);
    const services = [...new Set(tools.map(({ service }) => service))];
    const words: Readonly<Record<string, readonly string[]>> = {
      tool: tools.map(({ name }) => name),
      call: tools.map(({ name }) => name),
      service: services,
      task: tasks,
      phase: phases,
    };
    const choices =
      command === "session"
        ? this.#sessions.map(({ name }) => name)
        : kind?.namesConversations === true
          ? conversations
          : (words[kind?.argument ?? ""] ?? []);
    const begun = behind.at(-1) ?? "";
    const before = line.slice(0, line.length - begun.length);
    return choices.flatMap((choice) => (choice.startsWith(begun) ? [`${before}${choice} `] : []));
  }

  #createTerminal(getSession: () => Open | undefined) {
    return implement(Terminal, {
      readLine: (_, { signal }) => {
        const session = getSession();
        if (session === undefined || this.#hasLeft) return Promise.resolve({ line: "", end: true });
        session.hasLoop = true;
        session.turn = undefined;
        const { promise, resolve } = Promise.withResolvers<{ readonly line: string; readonly end: boolean }>();
        const reader = (line: string | undefined): void => resolve({ line: line ?? "", end: line === undefined });
        session.reader = reader;
        void this.#askStanding(session);
        signal.addEventListener("abort", () => {
          if (session.reader === reader) session.reader = undefined;
          this.#settle();
        });
        this.#settle();
        return promise;
      },
      write: async ({ text, speaker }) => {
        const session = getSession();
        if (session?.isLocked === true) return makeFailure("cancelled", "the session is locked");
        await this.#hold(() => {
          this.#widget = undefined;
          this.#screen.text(nameSpeaker(speaker === "model" ? "model" : "runner", this.#nameOther(session)), text);
        });
        return {};
      },
      awaitInterrupt: async (_, { signal }) => {
        await this.#awaitInterrupt(signal);
        return {};
      },
    });
  }

  #createApproval(getSession: () => Open | undefined) {
    return implement(Approval, {
      ask: ({ question }, { signal }) => this.#ask(getSession(), question, signal),
      announce: async ({ notice }) => {
        const session = getSession();
        await this.#hold(() => this.#drawNotice(session, notice));
        if (notice.stage === "finished") void this.#askStanding(session);
        return {};
      },
      lock: async () => {
        const session = getSession();
        if (session !== undefined) {
          session.isLocked = true;
          session.standing = undefined;
          this.#showStatus();
          void this.#askStanding(session);
          // A lock removes the output from the screen's memory, so that the next person does not see it. This waits for
          // the answer to an open question: after a change of the window's size, the screen must still show the whole
          // question. The output that waits behind the question is removed, too.
          void this.#hold(() => {
            this.#screen.forget();
            this.#screen.line("* ", `session ${session.name} is locked`);
          });
        }
        return {};
      },
      awaitInterrupt: async (_, { signal }) => {
        await this.#awaitInterrupt(signal);
        return {};
      },
    });
  }

  #awaitInterrupt(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const press = (): void => {
      this.#interrupts.delete(press);
      resolve();
    };
    this.#interrupts.add(press);
    signal.addEventListener("abort", press, { once: true });
    return promise;
  }

  /** Calls `draw` at once, or after the open question was answered. */
  #hold(draw: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.push(() => {
      draw();
      resolve();
    });
    this.#settle();
    return promise;
  }

  /** Shows a question that waits. If there is none, shows the output that waits, and then the prompt. */
  #settle(): void {
    if (this.#shown !== undefined || this.#hasLeft) return;
    const [question] = this.#asked;
    if (question !== undefined) {
      this.#drawQuestion(question);
      return;
    }
    if (this.#held.length > 0) {
      this.#showPrompt(undefined);
      for (const draw of this.#held.splice(0)) draw();
    }
    const next = this.#ahead[0];
    if (next !== undefined && this.#kept.length === 0 && this.#canTake(next)) {
      this.#ahead.shift();
      this.#take(next);
      this.#settle();
      return;
    }
    const session = this.#sessions[this.#current];
    const isIdle = session !== undefined && this.#isIdle(session);
    if (isIdle && this.#hasEnded && next === undefined) this.#leave();
    else if (isIdle) this.#showLinePrompt(this.#namePrompt(session));
    else this.#showPrompt(undefined);
  }

  /** Shows the prompt, with a line that was typed before a question if there is one. */
  #showLinePrompt(text: string): void {
    if (text === this.#prompt) return;
    const [kept, ...others] = this.#kept.splice(0);
    if (kept === undefined) {
      this.#showPrompt(text);
      return;
    }
    // A line from before the question appears in the prompt, and the person can change, send or drop it. Lines that
    // were typed later wait behind all such lines, so that none of them is appended to the line in the prompt.
    this.#kept.push(...others, ...this.#ahead.splice(0));
    this.#screen.line("* ", KEPT);
    this.#prompt = text;
    this.#front.prompt({ text, kind: "line", kept });
  }

  /**
   * Returns whether the person may type the next line. All calls must have responses, and the agent, if there is one,
   * must wait for a line.
   */
  #isIdle(session: Open): boolean {
    return session.asked.size === 0 && (session.reader !== undefined || !session.hasLoop);
  }

  #namePrompt(session: Open): string {
    return this.#current > 0 ? `you (${session.name})> ` : "you> ";
  }

  #showPrompt(text: string | undefined, kind: PromptKind = "line"): void {
    if ((text ?? "") === this.#prompt) return;
    if (text !== undefined) this.#screen.fresh();
    this.#prompt = text ?? "";
    this.#front.prompt(text === undefined ? undefined : { text, kind });
  }

  /**
   * Returns whether a line can be processed now. A command of a person who sees the screen is processed even if the agent
   * is not ready for a line.
   */
  #canTake({ text }: Said): boolean {
    const session = this.#sessions[this.#current];
    if (session === undefined || session.asked.size >= MOST_ERRANDS) return false;
    const isCommand = text.startsWith("/") && this.#front.isLive;
    return this.#isIdle(session) || isCommand || text.trim() === "";
  }

  #take({ text, pieces }: Said): void {
    const line = text.trim();
    if (this.#prompt !== "") {
      this.#screen.noteEntered(this.#prompt, text);
      this.#front.taken(text);
    } else if (line !== "") {
      this.#screen.fresh();
      const session = this.#sessions[this.#current];
      const prompt = session !== undefined && this.#isIdle(session) ? this.#namePrompt(session) : "command> ";
      this.#screen.verbatim(`${prompt}${escapeInvisible(line)}`);
    }
    this.#prompt = "";
    if (line === "") return;
    if (line.startsWith("/")) this.#command(line.slice(1), pieces);
    else void this.#say(line, pieces);
  }

  async #say(line: string, pieces: readonly Piece[]): Promise<void> {
    const session = this.#sessions[this.#current];
    if (session === undefined) return;
    if (!session.hasLoop) {
      this.#tell("the agent does not listen; commands only");
      return;
    }
    const said = createHash("sha256").update(line).digest();
    await this.#call(
      session,
      "",
      () => session.connection.call(Session.methods.beginTurn, { said, pieces }),
      (reply) => {
        if (!reply.ok) {
          this.#tellFrom(session, reply.reason);
          return;
        }
        const { reader } = session;
        session.isLocked = false;
        session.reader = undefined;
        if (reader === undefined) this.#tell("the agent is gone, and did not get the line");
        else {
          session.turn = performance.now();
          reader(line);
        }
      },
    );
  }

  /**
   * Sends a call for the person and shows its response. Until the response is handled, no line for the agent is
   * processed in this session.
   */
  async #call<Reply>(
    session: Open,
    line: string,
    call: () => Promise<Reply>,
    handle: (reply: Reply, errand: Errand) => void,
  ): Promise<void> {
    const errand = { line, since: performance.now(), hasOthers: session.asked.size > 0 };
    for (const other of session.asked) other.hasOthers = true;
    session.asked.add(errand);
    this.#settle();
    const reply = await call();
    if (session.asked.has(errand)) handle(reply, errand);
    session.asked.delete(errand);
    this.#settle();
    void this.#askStanding(session);
  }

  #command(line: string, pieces: readonly Piece[]): void {
    const [, name = "", behind = ""] = /^(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
    const argument = behind.trim();
    if (name === "exit") this.#leave();
    else if (name === "session") this.#switch(argument);
    else if (name === "colours") this.#setColours(argument);
    else if (name === "help") void this.#help(argument.replace(/^\/+/, ""));
    else if (name === "stop" || name === "restart") void this.#askInit(name, argument);
    else void this.#askSession(name, argument, pieces);
  }

  async #askSession(name: string, argument: string, pieces: readonly Piece[]): Promise<void> {
    const session = this.#sessions[this.#current];
    if (session === undefined) return;
    const isPasted = pieces.some((piece) => piece.isPasted);
    const line = `/${name}${argument === "" ? "" : ` ${argument}`}`;
    const call = () => session.connection.call(Session.methods.command, { name, argument, isPasted });
    await this.#call(session, line, call, (reply, { hasOthers }) => {
      if (hasOthers) this.#tellFrom(session, `${line}:`);
      for (const told of reply.ok ? reply.value.lines : [reply.reason]) this.#tellFrom(session, told);
    });
  }

  async #askInit(method: "stop" | "restart", name: string): Promise<void> {
    const session = this.#sessions[this.#current];
    const supervisor = this.#supervisor;
    if (session === undefined || supervisor === undefined) return;
    await this.#call(
      session,
      `/${method} ${name}`,
      () => supervisor.call(Supervisor.methods[method], { name }),
      (reply) => {
        this.#tell(reply.ok ? `${name} ${method === "stop" ? "is stopped" : "serves again"}` : reply.reason);
      },
    );
  }

  async #help(name: string): Promise<void> {
    const session = this.#sessions[this.#current];
    if (session === undefined) return;
    await this.#call(
      session,
      "/help",
      () => session.connection.call(Session.methods.vocabulary, {}),
      (reply) => {
        const own = new Map(COMMANDS);
        const others = (reply.ok ? reply.value.commands : []).filter((command) => !own.has(command.name));
        const unordered = [...others.map((command) => [command.name, command.usage] as const), ...COMMANDS];
        const usages = unordered.sort(([one], [other]) => compareCodeUnits(one, other));
        if (name !== "") {
          this.#tell(usages.find(([known]) => known === name)?.[1] ?? `there is no command /${name}; /help lists them`);
          return;
        }
        for (const row of fillRows(usages.map(([, usage]) => usage.split(": ")[0] ?? ""))) this.#tell(row);
        this.#tell("/help NAME: what one of them does");
        if (this.#front.isLive) this.#tell(KEYS);
      },
    );
  }

  #setColours(word: string): void {
    if (word === "on" || word === "off") this.#front.setColours(word);
    this.#tell(
      `colours are ${this.#front.isPainted ? "on; /colours off turns them off" : "off; /colours on turns them on"}`,
    );
  }

  #switch(name: string): void {
    const index = this.#sessions.findIndex((session) => session.name === name);
    const session = this.#sessions[index];
    if (session === undefined) {
      this.#tell(`sessions: ${this.#sessions.map((one) => one.name).join(", ")}`);
      return;
    }
    if (session.isOver) {
      this.#tell(`session ${name} has ended`);
      return;
    }
    this.#tell(`session ${name}${session.hasLoop ? "" : " has nobody to talk to; commands only"}`);
    if (index === this.#current) return;
    this.#current = index;
    this.#showStatus();
    // The console does not know who types. So the console locks the session to which the person changes; a user must
    // log in again.
    const lock = { name: "lock", argument: "", isPasted: false };
    void this.#call(
      session,
      "",
      () => session.connection.call(Session.methods.command, lock),
      () => {},
    );
  }

  #leave(): void {
    if (this.#hasLeft) return;
    for (const draw of this.#held.splice(0)) draw();
    this.#hasLeft = true;
    clearInterval(this.#clock);
    this.#screen.fresh();
    this.#front.prompt(undefined);
    for (const session of this.#sessions) session.reader?.(undefined);
    this.#front.left();
  }

  #ask(
    session: Open | undefined,
    question: Question,
    signal: AbortSignal,
  ): Promise<{ readonly answer: Answer; readonly signature: string }> {
    const refused = { answer: "denied", signature: "" } as const;
    // The person pastes the challenge between single quotes into a shell, and must see exactly what the key will sign. So a
    // challenge with a quote or with characters that are not printable ASCII is refused.
    if (session === undefined || !/^[ -&(-~]*$/.test(question.challenge)) return Promise.resolve(refused);
    const { promise, resolve } = Promise.withResolvers<{ readonly answer: Answer; readonly signature: string }>();
    const letters = chooseLetters("");
    const answer = (given: Answer, signature = ""): void => resolve({ answer: given, signature });
    const others = chooseLetters(letters);
    const asked: Asked = { session, question, letters, others, isMistyped: false, pasted: [], answer };
    this.#asked.push(asked);
    signal.addEventListener("abort", () => {
      const index = this.#asked.indexOf(asked);
      if (index < 0) return;
      if (this.#shown === asked) this.#answer(asked, "cancelled", "refused: the question was taken back");
      else {
        this.#asked.splice(index, 1);
        resolve({ answer: "cancelled", signature: "" });
      }
      this.#settle();
    });
    this.#settle();
    return promise;
  }

  #drawQuestion(asked: Asked): void {
    const { question, session } = asked;
    const mark = nameSpeaker("console", this.#nameOther(session));
    this.#showPrompt(undefined);
    this.#shown = asked;
    // If the input does not come from a terminal, all lines were typed in advance. The lines that wait stay in their
    // order, and are processed after this question, without a prompt that shows them.
    if (this.#front.isLive) this.#kept.push(...this.#ahead.splice(0));
    this.#screen.line(mark, `${question.tool} ${question.arguments}`);
    this.#screen.line(mark, `${question.sentence} — ${question.rule}`);
    if (question.timeoutMs > 0)
      setTimeout(() => {
        if (this.#shown !== asked) return;
        this.#answer(asked, "timedOut", "refused: nobody answered in time");
        this.#settle();
      }, question.timeoutMs).unref();
    if (this.#hasEnded) {
      this.#answer(asked, "timedOut", "refused: nobody is there to answer");
      this.#settle();
      return;
    }
    if (question.passphrase.salt.length + question.passphrase.newSalt.length > 0) {
      this.#answer(asked, "denied", "refused: a passphrase is asked for in a machine alone; start it with `capc run`");
      this.#settle();
      return;
    }
    if (question.challenge !== "") {
      this.#screen.line(mark, `sign this line: ${question.challenge}`);
      for (const row of renderSigning(question)) this.#screen.verbatim(row);
      this.#showPrompt("paste the signature> ", "signature");
      return;
    }
    if (question.mayRemember) this.#screen.line(mark, question.remembers);
    this.#showPrompt(`allow? ${describeAnswers(asked)}> `, "question");
  }

  /** Processes a line that the person typed as the answer to a question. */
  #judge(asked: Asked, text: string): void {
    const { question, letters, others, pasted } = asked;
    const line = text.trim();
    this.#screen.noteEntered(this.#prompt, text);
    this.#prompt = "";
    this.#front.taken(text);
    if (question.challenge === "") {
      if (line === letters) this.#answer(asked, "granted", "allowed");
      else if (question.mayRemember && line === others)
        this.#answer(asked, "grantedForConversation", "allowed, and remembered");
      else if (REFUSALS.includes(line.toLowerCase())) this.#answer(asked, "denied", "refused");
      else this.#takeMistake(asked);
      return;
    }
    pasted.push(line);
    const signature = `${pasted.join("\n")}\n`;
    if (line === "") this.#answer(asked, "denied", "refused: no signature");
    else if (signature.length > MOST_SIGNATURE_BYTES)
      this.#answer(asked, "denied", "refused: that is longer than any signature");
    else if (line === LAST_SIGNATURE_LINE) this.#answer(asked, "granted", "signature taken", signature);
    else this.#showPrompt("> ", "signature");
  }

  /**
   * Handles a line that does not answer the question. The first such line does not refuse the call, because a person
   * may have mistyped the letters.
   */
  #takeMistake(asked: Asked): void {
    if (asked.isMistyped) {
      this.#answer(asked, "mistyped", "refused: not understood twice");
      return;
    }
    asked.isMistyped = true;
    const answers = describeAnswers(asked);
    this.#screen.line("* ", `not an answer: ${answers}; the next mistake refuses`);
    this.#showPrompt(`allow? ${answers}> `, "question");
  }

  #answer(asked: Asked, answer: Answer, words: string, signature = ""): void {
    this.#shown = undefined;
    this.#asked.splice(this.#asked.indexOf(asked), 1);
    this.#prompt = "";
    this.#front.prompt(undefined);
    this.#screen.line("* ", words);
    asked.answer(answer, signature);
  }

  #drawNotice(
    session: Open | undefined,
    { stage, tool, arguments: given, mode, hasMode, outcome, detail, result }: Notice,
  ): void {
    const mark = nameSpeaker("tool", this.#nameOther(session));
    const call = [tool, given, hasMode ? mode : ""].filter((word) => word !== "").join(" ");
    const name = session?.name ?? "";
    if (stage === "running") {
      this.#running.set(name, performance.now());
      this.#screen.fresh();
      this.#screen.text(mark, call.replaceAll("\n", " "));
      this.#widget = call;
    } else if (stage === "finished") {
      const since = this.#running.get(name);
      this.#running.delete(name);
      const tenths = since === undefined ? 0 : Math.trunc((performance.now() - since) / 100);
      const time = tenths === 0 ? "" : ` in ${Math.trunc(tenths / 10)}.${tenths % 10} s`;
      const ended = ` → ${outcome}${detail === "" ? "" : ` (${detail})`}${time}${result === "" ? "" : `: ${result}`}`;
      if (this.#widget !== call || !this.#screen.isOpen(mark)) {
        this.#screen.fresh();
        this.#screen.text(mark, call.replaceAll("\n", " "));
      }
      this.#widget = undefined;
      this.#screen.text(mark, `${ended.replaceAll("\n", " ")}\n`);
    }
  }

  /** Returns the name of the session, or `undefined` if it is the current session. */
  #nameOther(session: Open | undefined): string | undefined {
    return session === undefined || session === this.#sessions[this.#current] ? undefined : session.name;
  }

  #tell(text: string): void {
    void this.#hold(() => this.#screen.line("* ", text));
  }

  #tellFrom(session: Open, text: string): void {
    void this.#hold(() => this.#screen.line(nameSpeaker("console", this.#nameOther(session)), text));
  }
}

/** Returns the prefix of a speaker's lines. It contains the session's name if the session is not the current one. */
function nameSpeaker(speaker: Speaker | "console", session: string | undefined): string {
  const from = session === undefined ? "" : ` (${session})`;
  switch (speaker) {
    case "console":
      return session === undefined ? "* " : `* (${session}) `;
    case "model":
      return `agent${from}> `;
    case "runner":
      return `loop${from}> `;
    case "tool":
      return session === undefined ? "[tool] " : `[tool] (${session}) `;
  }
}

/** Returns the offset of the word that is being typed, without the slash of a command. */
function findWord(line: string): number {
  return Math.max(1, line.lastIndexOf(" ") + 1);
}

/** Returns the longest text with which all lines begin. */
function shareBeginning([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

function listNames(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return `${names.slice(0, MOST_LISTED).join("  ")}${more > 0 ? `  and ${more} more` : ""}`;
}

/** Returns what the person can type at a question for consent. */
function describeAnswers({ question, letters, others }: Asked): string {
  return question.mayRemember
    ? `type ${letters} for once, ${others} for all of that, no to refuse`
    : `type ${letters} to allow, no to refuse`;
}

/** Returns three random letters; they are not equal to `others`. */
function chooseLetters(others: string): string {
  const letters = Array.from({ length: 3 }, () => String.fromCharCode(97 + randomInt(26))).join("");
  return letters === others ? chooseLetters(others) : letters;
}

/**
 * Returns a shell command that signs the challenge. The challenge is in several quoted pieces, which the shell joins.
 */
function renderSigning({ challenge, isLogin }: Question): readonly string[] {
  const pieces = challenge.match(new RegExp(`.{1,${SIGNED_COLUMNS}}`, "g")) ?? [];
  const namespace = isLogin ? "login@capos" : "stepup@capos";
  return [
    "* printf %s \\",
    ...pieces.map((piece) => `  '${piece}' \\`),
    `  | ssh-keygen -Y sign -n ${namespace} -f YOUR_KEY -`,
  ];
}

/** Returns the usages of commands in rows. Each row has as many usages as fit, and no usage is split. */
function fillRows(usages: readonly string[]): readonly string[] {
  const rows: string[] = [];
  for (const usage of usages) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 3 + usage.length <= HELP_COLUMNS)
      rows[rows.length - 1] = `${last}   ${usage}`;
    else rows.push(usage);
  }
  return rows;
}
