export { readingFrom } from "./reading.ts";
export { serve } from "./server.ts";
