/**
 * Thrown if the set-up cannot continue, because of its arguments or of the machine. `status` is the exit status: 2 for
 * wrong usage, 3 for an error of the environment.
 */
export class Refusal extends Error {
  constructor(message, status = 3) {
    super(message);
    this.status = status;
  }
}
