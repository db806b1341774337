/** Returns QEMU's arguments for a machine whose memory is a file that other programs can read and write. */
export function buildMemoryArguments(file: string, mebibytes: number): readonly string[] {
  return [
    ...["-object", `memory-backend-file,id=memory,size=${mebibytes}M,mem-path=${file},share=on`],
    ...["-machine", "memory-backend=memory"],
  ];
}
