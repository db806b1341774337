export { allowedActions } from "./allowed.ts";
export { whyNotBy } from "./budget.ts";
export { lineFraming, serialFraming } from "./framing.ts";
export { type Bridge, respond } from "./planner.ts";
export { responseFrom } from "./response.ts";
export { serveLine } from "./serve.ts";
