export { findDue, findZoneFault, type Missed, MOST_RUNS, ON_TIME_MS, readSchedule, type Schedule } from "./schedule.ts";
