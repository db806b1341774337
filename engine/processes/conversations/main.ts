import { runProgram } from "../../lib/wire/program.ts";
import { runConversations } from "./run.ts";

await runProgram(runConversations);
