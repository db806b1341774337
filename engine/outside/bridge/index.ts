export { findAllowedActions } from "./allowed.ts";
export { explainRefusedBackend } from "./budget.ts";
export { createLineFraming, createSerialFraming } from "./framing.ts";
export { type Bridge, respond } from "./planner.ts";
export { parseResponse } from "./response.ts";
export { serveLine } from "./serve.ts";
