// A page with more programs than upstream supports.

const ELF = Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, ...Array(9).fill(0), 2, 0, 62, 0, ...Array(44).fill(0)]);
const NAMES = Array.from({ length: 64 }, (_, index) => `p${index}`);

export const files = {
  ...Object.fromEntries(NAMES.map((name) => [`/${name}`, ELF])),
  "/system.cap": `system bad {
  use std.tools
  backend canned { stub }
  ${NAMES.map((name) => `service ${name} : Status { exec "${name}" }`).join("\n  ")}
  session operator { kind operator  models { auto canned }  permit { auto readOnly } }
  image { target capos  boot operator }
}
`,
};
