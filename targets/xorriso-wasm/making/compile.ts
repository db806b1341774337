// How the sources become one program. Every path is relative, so that no folder of this machine is in the program: the compiler
// stands in objects/PART, two levels below the sources.
// libburnia's configure is not run: it would ask emscripten a hundred questions, and these are the answers that matter.

import { globSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "./programs.ts";

const BURN = "../../libburn-1.5.4/libburn";
const ISOFS = "../../libisofs-1.5.4/libisofs";
const ISOBURN = "../../libisoburn-1.5.4";

/** For the compiler and the linker. Copying memory is an instruction, and not a call to JavaScript. */
const CODE = ["-O2", "-mbulk-memory"];

const COMMON = [
  ...CODE,
  "-w", // the sources' warnings are not ours to mend
  "-DNDEBUG",
  "-D_GNU_SOURCE",
  "-D_FILE_OFFSET_BITS=64",
  "-DHAVE_STDINT_H",
  "-DHAVE_INTTYPES_H",
  "-DHAVE_TM_GMTOFF",
  "-DHAVE_TIMEGM",
  "-DLibburnia_timezonE=timezone",
  "-Dqsort=stable_sort",
  "-I../../shims",
  "-include",
  "../../shims/single-thread.h",
];

/** What each part is made of: its sources, its own flags, and what of its folder is not for this system. */
const PARTS = [
  {
    name: "burn",
    sources: `${BURN}/*.c`,
    // Drives of other systems; sg.c includes the one that there is, a dummy.
    without: /\/sg-[a-z-]+\.c$/,
    flags: [`-I${BURN}`, "-DLibburn_os_has_statvfS", "-Dpthread_create=work_now"],
  },
  {
    name: "isofs",
    sources: `${ISOFS}/{*,filters/*}.c`,
    // The ring is ours. Attributes of other systems; aaip_0_2.c includes the one that there is, a dummy.
    without: /\/(buffer|aaip-os-[a-z]+)\.c$/,
    flags: [
      `-I${ISOFS}`,
      "-Dpthread_create=generator_keep",
      "-Dpthread_join=generator_join",
      "-Diconv=iconv_or_refuse",
    ],
  },
  {
    name: "isoburn",
    sources: `${ISOBURN}/{libisoburn,xorriso}/*.c`,
    // A program that writes a manual.
    without: /\/make_xorriso_1\.c$/,
    flags: [`-I${BURN}/..`, `-I${ISOFS}/..`, `-I${ISOBURN}`, `-I${ISOBURN}/libisoburn`, `-I${ISOBURN}/xorriso`],
  },
  { name: "shims", sources: "../../shims/*.c", without: /^$/, flags: [`-I${ISOFS}`, "-Uqsort"] },
];

const LINKED = [
  // One function for Node that gives a program, and starts it when it is told to.
  ...["MODULARIZE=1", "ENVIRONMENT=node", "INVOKE_RUN=0", "EXIT_RUNTIME=1", "EXPORTED_RUNTIME_METHODS=callMain,ENV"],
  // It sees the files of the host by their paths.
  "NODERAWFS=1",
  // For 20,000 files the whole process takes 95 MB. What wants more than the most is refused.
  ...["INITIAL_MEMORY=33554432", "ALLOW_MEMORY_GROWTH=1", "MAXIMUM_MEMORY=536870912"],
  // What Node does with errors stays Node's.
  ...["NODEJS_CATCH_EXIT=0", "NODEJS_CATCH_REJECTION=0"],
].flatMap((setting) => ["-s", setting]);

/** Debian keeps the parser that emscripten uses for JavaScript where only Debian's Node looks. */
const WHERE_NODE_LOOKS = { NODE_PATH: "/usr/share/nodejs" };

/** Makes out/xorriso.cjs and out/xorriso.wasm of the sources in `folder`; gives the folder that they are in. */
export function compileIn(folder: string): string {
  const objects = PARTS.flatMap((part) => objectsOf(folder, part));
  mkdirSync(join(folder, "out"));
  const words = [...CODE, ...objects, "-o", "out/xorriso.cjs", "--js-library", "shims/host.js", ...LINKED];
  run("emcc", words, folder, WHERE_NODE_LOOKS);
  return join(folder, "out");
}

/** In the order of their names, which is their order in the program. All of a part at once: to start costs as much as a source. */
function objectsOf(folder: string, { name, sources, without, flags }: (typeof PARTS)[number]): readonly string[] {
  const here = join("objects", name);
  const cwd = join(folder, here);
  mkdirSync(cwd, { recursive: true });
  const wanted = globSync(sources, { cwd }).filter((path) => !without.test(path));
  run("emcc", ["-c", ...COMMON, ...flags, ...wanted.sort()], cwd, WHERE_NODE_LOOKS);
  return wanted
    .map((path) => join(here, basename(path, ".c")))
    .map((object) => `${object}.o`)
    .sort();
}
