const others = Array.from({ length: 64 }, (_, index) => [
  `/part${index}.capnp`,
  `@0xf81d4b0c2e6a94${(index + 16).toString(16)};`,
]);
const uses = others.map((_, index) => `using P${index} = import "part${index}.capnp";`);

export const files = {
  ...Object.fromEntries(others),
  "/ledger.capnp": `@0xf81d4b0c2e6a9357;\n${uses.join("\n")}\ninterface Ledger {}`,
  "/system.cap": `system bad {
  use capnp "ledger.capnp" as ledger
}`,
};
