/**
 * Returns the arguments with which QEMU uses a file as the memory of the machine. Other programs can read and write
 * this file.
 */
export function buildMemoryArguments(file: string, mebibytes: number): readonly string[] {
  return [
    ...["-object", `memory-backend-file,id=memory,size=${mebibytes}M,mem-path=${file},share=on`],
    ...["-machine", "memory-backend=memory"],
  ];
}
