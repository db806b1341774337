// The bundler inserts this for every use of Buffer in the compiler.

export { Buffer } from "buffer";
