import { setImmediate } from "node:timers/promises";
import { type CompileCache, type compile as compilePages, createKept } from "../../../compile.ts";
import type { Naming } from "../../../phases/bind/index.ts";
import { createDiskHost } from "../../../phases/source/index.ts";
import { findCertainFixes } from "../../../queries/fixes/index.ts";
import { createSnapshot, type Snapshot } from "../snapshot.ts";
import { type OpenText, overlayHost } from "./overlay.ts";

/** Error that ends a compilation whose sources have changed. */
class Superseded extends Error {}

export type Compile = typeof compilePages;

/** One root page with all that it uses, compiled on the next request after a change. */
export class System {
  /** Absolute path of the root page, with links resolved. */
  readonly root: string;
  private readonly open: OpenText;
  private readonly compile: Compile;
  private readonly kept: CompileCache = createKept();
  /** Files that the last compilation read, and files that the present compilation has read so far. */
  private asked: ReadonlySet<string> = new Set();
  private asking: Set<string> = new Set();
  private generation = 0;
  private made: Promise<Snapshot> | undefined;
  private last: Snapshot | undefined;

  constructor(root: string, open: OpenText, compile: Compile) {
    this.root = root;
    this.open = open;
    this.compile = compile;
  }

  /** Returns whether a file may affect the compilation of the root page, even if the file is missing. */
  isReading(path: string): boolean {
    return path === this.root || this.asked.has(path) || this.asking.has(path);
  }

  /** Returns the last compiled snapshot, even if files have changed since; `undefined` if there is none yet. */
  get latest(): Snapshot | undefined {
    return this.last;
  }

  /** Marks the snapshot as stale after a file changed; a running compilation stops. */
  markStale(): void {
    this.generation += 1;
    this.made = undefined;
  }

  /**
   * Returns the current snapshot, which is the result of compiling the present files. If a file changes during the
   * compilation, callers wait for the newer snapshot.
   */
  async takeSnapshot(): Promise<Snapshot> {
    for (;;) {
      const making = this.made ?? this.compileSnapshot();
      this.made = making;
      try {
        return await making;
      } catch (error) {
        if (!(error instanceof Superseded)) throw error;
      }
    }
  }

  private async compileSnapshot(): Promise<Snapshot> {
    const { generation } = this;
    const asked = new Set<string>();
    const named: Naming[] = [];
    this.asking = asked;
    const pause = async (): Promise<void> => {
      await setImmediate();
      if (generation !== this.generation) throw new Superseded();
    };
    const host = overlayHost(createDiskHost(), this.open, asked);
    const { kept } = this;
    const compiled = await this.compile(host, this.root, {
      purpose: "check",
      kept,
      pause,
      named: (naming) => named.push(naming),
    });
    await pause();
    this.asked = asked;
    for (const memo of Object.values(kept)) memo.forget();
    this.last = createSnapshot(this.root, compiled, named, () => findCertainFixes(host, this.root));
    return this.last;
  }
}
