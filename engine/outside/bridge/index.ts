export { type AllowedAction, allowedActions } from "./allowed.ts";
export { whyNotBy } from "./budget.ts";
export { type Framing, lineFraming, serialFraming } from "./framing.ts";
export { type Bridge, respond } from "./planner.ts";
export { type Request, requestFrom } from "./request.ts";
export { type Response, responseFrom, unknownPlan } from "./response.ts";
export { type Line, serveLine } from "./serve.ts";
