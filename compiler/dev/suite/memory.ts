/** Returns QEMU's arguments: the memory of the machine is this file, which other programs read and write. */
export function buildMemoryArguments(file: string, mebibytes: number): readonly string[] {
  return [
    ...["-object", `memory-backend-file,id=memory,size=${mebibytes}M,mem-path=${file},share=on`],
    ...["-machine", "memory-backend=memory"],
  ];
}
