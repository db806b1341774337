/**
 * Error for setup that cannot continue for an external reason. `status` is the exit status: 2 for a usage error, 3 for
 * a fault of the environment.
 */
export class Refusal extends Error {
  constructor(message, status = 3) {
    super(message);
    this.status = status;
  }
}
