import { expect, test } from "vitest";
import { type Blob, type Manifest, States } from "../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { createBlob } from "../../../targets/manifest/blob.ts";
import { describeStates } from "./states.ts";

const KEY = new Uint8Array(32).fill(7);
const LIST = encodeMessage(States, {
  schemaVersion: 1,
  model: "llama:sha256-07",
  states: [{ key: KEY, tokens: 757, bytes: 109_060n, rows: ["operator", "operator triage look"] }],
});
const ARTEFACTS: readonly Blob[] = [
  createBlob("tables", "/t", KEY),
  createBlob("states.smol", "/capos/models/smol.states", LIST),
];
const described = (bytes: Uint8Array | undefined) =>
  describeStates({ artefacts: ARTEFACTS } as Manifest, (path) => (path.endsWith(".states") ? bytes : undefined));

test("each prefilled state is shown with its rows, tokens, bytes and key", () => {
  expect(described(LIST)).toEqual([
    {
      kind: "states",
      facts: {
        "states.smol": [
          {
            model: "smol",
            key: "07".repeat(32),
            tokens: 757,
            bytes: 109_060,
            rows: ["operator", "operator triage look"],
          },
        ],
      },
      lines: ["", "prefilled state of smol: 757 tokens, 109060 bytes, for operator, operator triage look"],
      faults: [],
    },
  ]);
});

test("a missing or invalid list of states is a fault", () => {
  const fault = ["/capos/models/smol.states is no list of states"];
  expect([described(undefined), described(new Uint8Array(3))].flat().map(({ faults }) => faults)).toEqual([
    fault,
    fault,
  ]);
});
