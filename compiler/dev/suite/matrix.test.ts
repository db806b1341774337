import { expect, test } from "vitest";
import { FORMATS } from "../../artefacts/products/formats.ts";
import { DEVICES } from "../../machine/qemu.ts";
import { CELLS } from "./matrix.ts";

test("the matrix has every firmware with every device, every format that needs a boot of its own, and no repeated cell", () => {
  const said = CELLS.map(({ machine, processors = 1, firmware, device, format }) =>
    [machine, processors, firmware, device, format].join(" "),
  );
  expect(new Set(said).size).toBe(said.length);
  for (const firmware of ["bios", "uefi"])
    for (const device of DEVICES)
      expect(CELLS.some((cell) => cell.firmware === firmware && cell.device === device)).toBe(true);
  // In these two formats, the bytes of the disk equal the ISO. A stage compares them, so no machine boots them.
  const compared = ["raw", "oci-layout"];
  expect([...new Set(CELLS.map(({ format }) => format)), ...compared].sort()).toEqual([...FORMATS].sort());
});

test("the full conversation is played on a machine with two processors", () => {
  expect(CELLS.filter(({ processors = 1 }) => processors > 1).map(({ script }) => script)).toEqual([
    "examples/first-agent/smoke.chat",
  ]);
});
