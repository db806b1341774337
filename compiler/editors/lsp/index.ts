export { readingFrom } from "./reading.ts";
export { type Surroundings, serve } from "./server.ts";
