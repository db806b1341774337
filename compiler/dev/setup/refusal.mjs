/**
 * Thrown if set-up cannot continue because of something outside of it. `status` is the exit status: 2 wrong use, 3
 * environment.
 */
export class Refusal extends Error {
  constructor(message, status = 3) {
    super(message);
    this.status = status;
  }
}
