// Measures one decision of Cedar, after its policies were read. The arguments are the path of the library cedar-wasm,
// and the folder with policy.cedar and entities.json.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { measureMicroseconds } from "../micro.ts";

interface Cedar {
  readonly preparsePolicySet: (id: string, policies: { staticPolicies: string }) => { type: string };
  readonly statefulIsAuthorized: (call: object) => { type: string; response?: { decision: string } };
}

const [library = "", folder = ""] = process.argv.slice(2);
const cedar: Cedar = createRequire(import.meta.url)(library);
const parsed = cedar.preparsePolicySet("bench", { staticPolicies: readFileSync(join(folder, "policy.cedar"), "utf8") });
if (parsed.type !== "success") throw new Error("the policies are not read");
const tools = JSON.parse(readFileSync(join(folder, "entities.json"), "utf8")).filter(
  ({ uid }: { uid: { type: string; id: string } }) => uid.type === "Tool" && uid.id.endsWith(".read"),
);
const calls = tools.map((tool: { uid: object }) => ({
  principal: { type: "Session", id: "session0" },
  action: { type: "Action", id: "call" },
  resource: tool.uid,
  context: { gate: "auto" },
  preparsedPolicySetId: "bench",
  entities: [tool],
}));
const microseconds = measureMicroseconds((time) => {
  const answer = cedar.statefulIsAuthorized(calls[time % calls.length]);
  if (answer.response?.decision !== "allow") throw new Error(`a call is refused: ${JSON.stringify(answer)}`);
});
process.stdout.write(String(microseconds));
