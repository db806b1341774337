import { expect, test } from "vitest";
import type { Value } from "../../../engine/lib/weights/testing/gguf-writer.ts";
import { makeTinyModel } from "../../../engine/lib/weights/testing/tiny-model.ts";
import { compile } from "../../compile.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { createMemoryHost } from "../../phases/source/index.ts";

const u32 = (value: number): Value => ({ kind: "u32", value });

/** Returns the message and the help of a build that refuses the weights of a page; empty if it accepts them. */
async function saidOf(entries: Readonly<Record<string, Value>>, quantisation: string): Promise<string> {
  const page = `system s version "1.0.0" {
    use std.tools
    service notes : Files { state 1 MiB }
    model smol { weights "smol.gguf"  ${quantisation}  context 512 tokens }
    backend local { cpu  model smol  threads 2  memory 64 MiB }
    session operator { kind operator  models { auto local }  permit { auto readOnly } }
    storage { disk "capos-data" }
    image { target linux  machine vm  boot operator }
  }`;
  const host = createMemoryHost({ "/system.cap": page, "/smol.gguf": makeTinyModel({ entries }) });
  const { diagnostics } = await compile(host, "/system.cap", { ...testSurroundings, purpose: "build" });
  const unfit = diagnostics.filter(({ code }) => code === "weights-unfit");
  return unfit.map(({ message, help }) => `${message}; ${help}`).join("\n");
}

/**
 * Header of a file that contains 32-bit numbers, but states the type Q4_K_M. In small files, the stated type may differ from the type of
 * most numbers.
 */
const Q4_K_M = { "general.file_type": u32(15) };

test.each(["quantisation q4_k_m", "quantisation q4_k", "quantisation f32", ""])(
  "weights whose header states q4_k_m match a page with `%s`",
  async (said) => {
    expect(await saidOf(Q4_K_M, said)).toBe("");
  },
);

test.each(["q4_k_s", "q4_k_m_x", "q8_0", "f32_m"])(
  "weights whose header states q4_k_m do not match a page with `quantisation %s`",
  async (said) => {
    const words = "its quantisation is q4_k_m; write `quantisation q4_k_m`";
    expect(await saidOf(Q4_K_M, `quantisation ${said}`)).toBe(`\`smol.gguf\` cannot be run in the image: ${words}`);
  },
);

test("weights without a stated quantisation match by the type of most of their numbers", async () => {
  expect(await saidOf({}, "quantisation f32")).toBe("");
  expect(await saidOf({}, "quantisation f32_m")).toBe("");
  expect(await saidOf({}, "quantisation q8_0")).toMatch(
    /most of its numbers are written as f32; write `quantisation f32`$/,
  );
});

test("one part of split weights is refused before the build, with the command that joins the parts", async () => {
  const first = { "split.no": u32(0), "split.count": u32(2) };
  expect(await saidOf(first, "")).toMatch(
    /it is part 1 of 2 of its weights; parts are joined first; join the parts with `llama-gguf-split --merge`/,
  );
});
