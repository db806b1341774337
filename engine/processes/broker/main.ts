import { runProgram } from "../../lib/wire/program.ts";
import { runBroker } from "./run.ts";

void runProgram(runBroker);
