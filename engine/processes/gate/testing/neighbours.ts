// The connections that a gate holds to its neighbours, for tests.
import { duplexPair } from "node:stream";
import { Metering } from "../../../lib/wire/generated/wire.ts";
import { type Connection, connect, type Implementation, serveInterface } from "../../../lib/wire/index.ts";

/**
 * Returns a connection to a neighbour. A request without a time limit throws, because a gate must not wait for a
 * neighbour without a limit. Requests about a model's answer are exempt.
 */
export function held(implementation: Implementation): Connection {
  const [mine, theirs] = duplexPair();
  serveInterface(theirs, [implementation]);
  const connection = connect(mine);
  const call: Connection["call"] = (method, params, options) => {
    const { asked, ended } = Metering.methods;
    const isBounded = options?.timeoutMs !== undefined || [asked.name, ended.name].includes(method.name);
    if (!isBounded) throw new Error(`${method.name} is asked for without an end`);
    return connection.call(method, params, options);
  };
  return { ...connection, call };
}
