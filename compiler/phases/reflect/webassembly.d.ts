// Declares those parts of WebAssembly that the compiler uses. TypeScript has them only in its library for browsers, which also declares
// names such as window and document that do not exist here.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  type Imports = Record<string, Record<string, (...values: never[]) => unknown>>;
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<object>;
}
