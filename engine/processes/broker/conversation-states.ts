// Stores the state that a gate needs to resume a conversation. The broker does not interpret the bytes, and returns
// them only to the gate of the same session. With a data disk, each conversation has its own file, which is replaced as
// a whole.

import { createHash } from "node:crypto";
import type { Disk } from "./disk/disk.ts";
import { seal, unseal } from "./disk/sealed.ts";

/** Maximum bytes of a state: enough for a label, a row, a turn and the longest values of a task's parameters. */
export const MAX_STATE_BYTES = 4096;
/**
 * Maximum number of conversations whose states are stored in one run: the quota ledger counts no more conversations
 * either.
 */
export const MAX_KEPT = 1024;

const NOTHING = new Uint8Array();

export class ConversationStates {
  readonly #session: string;
  readonly #disk: Disk | undefined;
  /** States of this run, by conversation. */
  readonly #states = new Map<string, Uint8Array>();

  /** Creates the states of a session. Without a disk, the states last until the machine stops. */
  constructor(session: string, disk?: Disk) {
    this.#session = session;
    this.#disk = disk;
  }

  /**
   * Stores a state; returns why it is not stored, or `undefined` if it is. No other state is dropped to make space, because its
   * conversation would then be resumed at the highest label.
   */
  keep(conversation: string, state: Uint8Array): string | undefined {
    if (state.length > MAX_STATE_BYTES) return `the state of a conversation has at most ${MAX_STATE_BYTES} bytes`;
    if (!this.#states.has(conversation) && this.#states.size >= MAX_KEPT) {
      return `the states of ${MAX_KEPT} conversations are kept, and there is no room for another`;
    }
    try {
      this.#disk?.replace(this.#computeFileName(conversation), seal(state));
    } catch (error) {
      return `it cannot be kept on the data disk: ${error instanceof Error ? error.message : "it failed"}`;
    }
    this.#states.set(conversation, Uint8Array.from(state));
    return undefined;
  }

  /**
   * Deletes a conversation's state, which makes room for another. Returns why the state may still exist, or `undefined`
   * if it is deleted.
   */
  forget(conversation: string): string | undefined {
    try {
      this.#disk?.remove(this.#computeFileName(conversation));
    } catch (error) {
      return `it cannot be taken from the data disk: ${error instanceof Error ? error.message : "it failed"}`;
    }
    this.#states.delete(conversation);
    return undefined;
  }

  /** Returns the state of a conversation; empty if there is none, or it is damaged: a gate then assumes the highest label. */
  getState(conversation: string): Uint8Array {
    return this.#states.get(conversation) ?? this.#loadState(conversation);
  }

  #loadState(conversation: string): Uint8Array {
    try {
      return unsealState(this.#disk?.read(this.#computeFileName(conversation)) ?? NOTHING);
    } catch {
      return NOTHING;
    }
  }

  #computeFileName(conversation: string): string {
    return computeStateFileName(this.#session, conversation);
  }
}

/** Returns a file name made from a digest, because names of sessions and conversations may not be valid file names. */
export function computeStateFileName(session: string, conversation: string): string {
  const name = JSON.stringify([session, conversation]);
  return `state-${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
}

/** Returns the content of a state file; empty if it is damaged. */
export function unsealState(bytes: Uint8Array): Uint8Array {
  const state = unseal(bytes);
  return state.ok ? state.value : NOTHING;
}
