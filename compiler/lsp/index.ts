export { type Surroundings, serve } from "./server.ts";
