// The bundler replaces every use of Buffer in the compiler by this module.

export { Buffer } from "buffer";
