// The bundler inserts this module for every use of Buffer in the compiler.

export { Buffer } from "buffer";
