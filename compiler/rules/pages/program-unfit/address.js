export { default } from "https://example.net/fetch.js";
