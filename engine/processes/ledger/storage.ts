// The storage that the ledger's decisions use. Another storage, such as a server for many machines, needs only another implementation.

import type { Result } from "../../lib/result/result.ts";
import type { Answer, Approval, Event, Message, Step, Task } from "./rows.ts";

/** The ledger's clock, whose stored times never decrease. `run` counts the starts of the ledger. */
export interface Clock {
  /** Time at which the run started, as stored; in a running ledger, the time of the last commit. */
  readonly at: bigint;
  readonly run: bigint;
  /** Secret key of the readers' cursors. */
  readonly key: Uint8Array;
}

export interface NewEvent extends Omit<Event, "sequence"> {}

/**
 * The rows of the ledger, as one transaction reads and changes them. Methods throw what the storage throws; `Storage`
 * turns these faults into reasons.
 */
export interface Rows {
  readClock(): Clock | undefined;
  putClock(clock: Clock): void;

  findTask(id: bigint): Task | undefined;
  /** Returns the next number of a task of the session, from 1. A number is never returned again. */
  takeTaskNumber(session: string): bigint;
  countOpenTasks(session: string): number;
  /** Returns tasks of a session with a number below `before`, the newest first. */
  listTasks(session: string, before: bigint, most: number): readonly Task[];
  /** Returns the tasks, of all sessions, that have not ended and have an id above `after`, in the order of their ids. */
  listOpenTasks(after: bigint, most: number): readonly Task[];
  /** Returns tasks that have not ended and whose deadline is at or before `at`. */
  listOverdueTasks(at: bigint, most: number): readonly Task[];
  /** Inserts a task and returns its id, which was never used before. */
  addTask(task: Omit<Task, "id">): bigint;
  putTask(task: Task): void;
  /** Removes a task with everything that belongs to it, except for its events of the kind `purged`. */
  removeTask(task: Task): void;

  findStep(task: bigint, number: bigint): Step | undefined;
  /** Returns the number of the last step of a task; 0 if there is none. */
  findLastStepNumber(task: bigint): bigint;
  /** Returns steps of a task with a number above `after`, in order. */
  listSteps(task: bigint, after: bigint, most: number): readonly Step[];
  /** Returns steps of the task that are `started` or `unknown`. */
  listUnsettledSteps(task: bigint): readonly Step[];
  /** Returns started steps of runs before `run`, of all tasks. */
  listInterruptedSteps(run: bigint, most: number): readonly Step[];
  addStep(step: Step): void;
  /** Stores the state, result and time of a step that has ended. */
  endStep(step: Step): void;

  addMessage(task: bigint, position: bigint, message: Message): void;
  /** Returns messages of a task from a position on, in order, of at most `mostBytes` together, but at least one. */
  listMessages(task: bigint, from: bigint, mostBytes: number): readonly Message[];

  findApproval(id: bigint): Approval | undefined;
  listApprovals(task: bigint): readonly Approval[];
  /** Returns pending approvals of the session's tasks, the oldest first. */
  listPendingApprovals(session: string, most: number): readonly Approval[];
  countPendingApprovals(task: bigint): number;
  listOverdueApprovals(at: bigint, most: number): readonly Approval[];
  addApproval(approval: Omit<Approval, "id">): bigint;
  putApproval(approval: Approval): void;
  listAnswers(approval: bigint): readonly Answer[];
  addAnswer(answer: Answer): void;

  /** Returns the time up to which the schedule's runs are handled, or `undefined` if the schedule is new. */
  findSchedule(name: string): bigint | undefined;
  putSchedule(name: string, through: bigint): void;

  addEvent(event: NewEvent): void;
  /** Returns events of the session after a sequence number, in order. */
  listEvents(session: string, after: bigint, most: number): readonly Event[];
  /** Returns the time of the latest event of all sessions; 0 if there is none. */
  findLatestTime(): bigint;
}

export interface Storage {
  /**
   * Runs `run` in one transaction with all its changes of rows. When this method returns a value, all changes are on
   * the disk. When it returns a reason, no change is on the disk, and `isBroken` states whether the storage can be used
   * any more.
   */
  transact<T>(run: (rows: Rows) => T): Result<T>;
  /** Whether the disk has failed. In that case acknowledged changes may be lost, and every later call is refused. */
  readonly isBroken: boolean;
  close(): void;
}
