import { runProgram } from "../../lib/wire/program.ts";
import { runLedger } from "./run.ts";

void runProgram(runLedger);
