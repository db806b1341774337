// The few words of WebAssembly that are used here. TypeScript has them only in its browser library, whose other words
// (window, document, …) must not be at hand in this program.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  type Imports = Record<string, Record<string, (...values: never[]) => unknown>>;
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<object>;
}
