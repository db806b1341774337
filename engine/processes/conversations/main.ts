import { runProgram } from "../../lib/wire/program.ts";
import { runConversations } from "./run.ts";

void runProgram(runConversations);
