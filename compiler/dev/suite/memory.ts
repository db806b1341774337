/** Words for QEMU: the memory of the machine is this file, which others read and write beside it. */
export function buildMemoryArguments(file: string, mebibytes: number): readonly string[] {
  return [
    ...["-object", `memory-backend-file,id=memory,size=${mebibytes}M,mem-path=${file},share=on`],
    ...["-machine", "memory-backend=memory"],
  ];
}
