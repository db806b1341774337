/** Draws a notice only if its call takes long. One timer serves all calls of a gate, of which one runs at a time. */
export class DrawLater {
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;
  #draw: (() => void) | undefined;
  /** Time at which the notice is drawn, by the clock of this process. */
  #due = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Plans to draw the notice after the delay, unless `forget` is called before that. */
  plan(draw: () => void): void {
    this.#draw = draw;
    this.#due = performance.now() + this.#ms;
    this.#timer ??= this.#wait(this.#ms);
  }

  forget(): void {
    this.#draw = undefined;
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), ms).unref();
  }

  /**
   * Draws the notice if its time has come. The timer may have been set for an earlier call, if another call has begun
   * since.
   */
  #look(): void {
    this.#timer = undefined;
    const draw = this.#draw;
    if (draw === undefined) return;
    const left = this.#due - performance.now();
    // A timer counts whole milliseconds, and may fire early by less than one millisecond.
    if (left >= 1) {
      this.#timer = this.#wait(left);
      return;
    }
    this.#draw = undefined;
    draw();
  }
}
