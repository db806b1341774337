export { startReading } from "./reading.ts";
export { serve } from "./server.ts";
