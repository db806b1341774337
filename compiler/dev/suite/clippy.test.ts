import { expect, test } from "vitest";
import { findClippyFault, judgeClippy } from "./clippy.ts";
import { createClaim } from "./stage.ts";

const RUSTC = "rustc 1.85.0 (4d91de4e4 2025-02-17) (built from a source tarball)";
const DRIFT = "rustc is rustc 1.96.0; the committed programs were built with rustc 1.85.0";

test("accepts a Clippy with the compiler's version, and reports a Clippy that is absent or has another version", () => {
  expect(findClippyFault(RUSTC, "clippy 0.1.85")).toBeUndefined();
  expect(findClippyFault(RUSTC, "clippy 0.1.96 (0123456 2026-05-25)")).toMatch(
    /^clippy 0\.1\.96 .* is not of rustc 1\.85/,
  );
  expect(findClippyFault(RUSTC, undefined)).toMatch(/^\/usr\/bin\/cargo-clippy is absent; .*rust-web-clippy/);
  expect(findClippyFault(undefined, "clippy 0.1.85")).toContain("rustc-web");
});

test("the stage fails for a warning with the locked compiler, and for a compile error with any compiler", () => {
  const [well, wrong] = [0, 101].map((status) =>
    createClaim("clippy", { status, output: "", complaints: "error: unused variable" }),
  );
  if (well === undefined || wrong === undefined) throw new Error("two claims");
  expect(judgeClippy(well, undefined)).toMatchObject({ passed: 1, failed: 0 });
  for (const drift of [undefined, DRIFT])
    expect(judgeClippy(wrong, drift)).toMatchObject({
      failed: 1,
      failures: [{ name: "clippy", words: "error: unused variable" }],
    });
});

test("counts warnings of another compiler as advice", () => {
  const claim = createClaim("clippy", { status: 0, output: "", complaints: "warning: unused variable" });
  expect(judgeClippy(claim, DRIFT)).toEqual({
    passed: 0,
    failed: 0,
    failures: [],
    notRun: `its warnings are advice here: ${DRIFT}`,
  });
});
