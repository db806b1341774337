// A small process of an image, for capset.test.ts: it writes the texts of its callers to a terminal that another process serves.
import { openCapset } from "./capset.ts";
import { Terminal } from "./generated/wire.ts";
import { makeFailure, serve } from "./index.ts";

const capset = openCapset();
const terminal = capset.connection("terminal");
const said = Buffer.from(capset.file("greeting")).toString();
capset.onGrant(({ stream, badge, holder, name, interfaceId }) => {
  serve(stream, [interfaceId], async ({ payload }) => {
    if (payload.which !== "json") return makeFailure("malformed", "only JSON is taken");
    await terminal.call(Terminal.methods.write, { text: payload.json, speaker: "tool" });
    const json = JSON.stringify({ badge: String(badge), holder, name, said });
    return { ok: true, payload: { which: "json", json } };
  });
});
process.once("disconnect", () => process.exit(0));
capset.ready();
