import { expect, test } from "vitest";
import type { PublishDiagnosticsParams } from "vscode-languageserver/node";
import { createNames } from "./places.ts";
import { Publishing } from "./publishing.ts";

test("a page that fails by a defect of capc has one finding, which disappears when it compiles", () => {
  const sent: PublishDiagnosticsParams[] = [];
  const connection = { sendDiagnostics: async (params: PublishDiagnosticsParams) => void sent.push(params) };
  const publishing = new Publishing(
    connection,
    createNames(() => undefined),
    () => undefined,
    () => 7,
  );
  publishing.publish([], ["/a/system.cap"]);
  publishing.publish([], ["/a/system.cap"]);
  expect(sent).toMatchObject([
    {
      uri: "file:///a/system.cap",
      version: 7,
      diagnostics: [{ severity: 1, message: expect.stringContaining("defect") }],
    },
  ]);
  publishing.publish([]);
  expect(sent.at(-1)).toEqual({ uri: "file:///a/system.cap", version: 7, diagnostics: [] });
});
