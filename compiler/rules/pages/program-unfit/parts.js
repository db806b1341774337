import { get, post } from "./get.js";

export default { get, post };
