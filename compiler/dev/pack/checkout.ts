// make setup: the command line of the checkout, bundled.

import { fileURLToPath } from "node:url";
import { bundleBeside } from "./beside.ts";

await bundleBeside(fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, ""));
