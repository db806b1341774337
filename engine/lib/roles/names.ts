/**
 * Returns the part after the dot in the names of a gate and its loop: the session, or for the worker of a timer the
 * session and the ingress, such as `operator.nightly`. Names of sessions and ingresses contain no dot.
 */
export function nameSeat(session: string, ingress: string | undefined): string {
  return ingress === undefined ? session : `${session}.${ingress}`;
}
