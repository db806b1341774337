@0xd2c5a9e1b7f04c36;
# What a kernel's own runtime does for its agent. It is named here so that a page can say who may have it proposed.

interface Kernel {
  listFiles @0 () -> ();
  # List the files.
  readFile @1 (name :Text) -> ();
  # Read a file.
  statFile @2 (name :Text) -> ();
  # Tell the size of a file.
  deleteFile @3 (name :Text) -> ();
  # Delete a file.
  showHistory @4 () -> ();
  # Show what was typed.
  showVersion @5 () -> ();
  # Show the kernel's version.
  showTicks @6 () -> ();
  # Show the ticks of the timer.
  showMemoryMap @7 () -> ();
  # Show the map of the memory.
}
