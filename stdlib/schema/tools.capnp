@0x9a5d3c2be1f47a02;
# The tools of the standard library. Doc comments become the descriptions that a model reads; argument types become
# JSON Schemas. Arguments and results of tools travel as JSON of these shapes.

interface Files {
  # A directory of files. Paths are relative to the directory that was granted.

  read @0 (path :Text) -> (content :Text);
  # Read a text file.

  list @1 (path :Text) -> (entries :List(Text));
  # List the names in a directory. Directories end with a slash.

  write @2 (path :Text, content :Text) -> (bytes :UInt64);
  # Write a text file, replacing what it held.

  delete @3 (path :Text) -> ();
  # Delete a file. It cannot be brought back.
}

interface Logs {
  # The system's own log.

  tail @0 (lines :UInt32) -> (entries :List(Text));
  # Read the newest lines of the log.

  follow @1 (pattern :Text) -> (entry :Text);
  # Wait for the next line of the log that holds the pattern.
}

interface Status {
  # Facts about the running system.

  show @0 () -> (uptimeSeconds :UInt64, memoryFreeBytes :UInt64, processes :UInt32);
  # Show uptime, free memory and the number of processes.
}
