import { connect } from "node:net";

export default { get: async () => connect(), post: async () => connect() };
