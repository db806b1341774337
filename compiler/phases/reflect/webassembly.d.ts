// Declarations of WebAssembly that this compiler uses. TypeScript has them only in its browser library, whose other
// names (window, document, …) must not be available in this program.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  type Imports = Record<string, Record<string, (...values: never[]) => unknown>>;
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<object>;
}
