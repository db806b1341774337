// Put by the bundler wherever the compiler says Buffer.

export { Buffer } from "buffer";
