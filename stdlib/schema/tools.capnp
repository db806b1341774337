@0x9a5d3c2be1f47a02;
# The tools of the standard library. Doc comments become the descriptions that a model reads; argument types become
# JSON Schemas. Arguments and results of tools travel as JSON of these shapes. A result `said` is all of it in one line, for
# a person who calls the tool by words.

interface Files {
  # A directory of files. Paths are relative to the directory that was granted.

  read @0 (path :Text, from :UInt32 = 1, to :UInt32 = 4294967295) -> (content :Text);
  # Read a text file, or some of its lines: from this one to that one, both included. The first line is 1.

  list @1 (path :Text) -> (entries :List(Text));
  # List the names in a directory. Directories end with a slash.

  write @2 (path :Text, content :Text) -> (bytes :UInt64);
  # Write a text file, replacing what it held. Folders that are missing are made.

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

interface Services {
  # The services of the running system.

  list @0 () -> (services :List(Text));
  # List the names of the running services.

  restart @1 (name :Text) -> ();
  # Stop a service and start it again. Whatever it was doing is lost.
}

interface Fetch {
  # Anything that can be asked for over HTTP, at any address that the page lets through. Redirects come back as results.

  get @0 (url :Text) -> (response :HttpResponse);
  # Read a web page or another resource. The whole address leaves the machine.

  post @1 (url :Text, contentType :Text, body :Text) -> (response :HttpResponse);
  # Send text to an address.
}

interface HttpEndpoint {
  # One HTTP server. The page fixes scheme, host, port and credential; nobody who calls can change them.

  get @0 (path :Text) -> (response :HttpResponse);
  # Read a resource of the server.

  post @1 (path :Text, contentType :Text, body :Text) -> (response :HttpResponse);
  # Send text to the server.
}

struct HttpResponse {
  status @0 :UInt16;
  # The status code, e.g. 200.
  contentType @1 :Text;
  location @2 :Text;
  # Where a redirect points to; empty where there is none. It is not followed.
  body @3 :Text;
}

interface Memory {
  # Facts that outlast a conversation.

  store @0 (topic :Text, content :Text) -> (id :Text, said :Text);
  # Remember a text under a topic.

  recall @1 (query :Text, most :UInt16 = 10) -> (entries :List(MemoryEntry), said :Text);
  # Find what was remembered about something, best match first.

  forget @2 (id :Text) -> ();
  # Forget one entry. It cannot be brought back.
}

struct MemoryEntry {
  id @0 :Text;
  topic @1 :Text;
  content @2 :Text;
}

interface Processes {
  # Programs that run on behalf of the session.

  list @0 () -> (processes :List(ProcessEntry));
  # List the programs that run.

  start @1 (program :Text, arguments :List(Text)) -> (process :UInt32);
  # Start a program. It gets the arguments as they are: no shell takes them apart.

  stop @2 (process :UInt32) -> ();
  # End a program at once.
}

struct ProcessEntry {
  process @0 :UInt32;
  program @1 :Text;
}

interface Scratch {
  # Files for work in between. They may be gone at any time, and nobody else sees them.

  read @0 (path :Text, from :UInt32 = 1, to :UInt32 = 4294967295) -> (content :Text);
  # Read a scratch file, or some of its lines: from this one to that one, both included. The first line is 1.

  list @1 (path :Text) -> (entries :List(Text));
  # List the names in a scratch directory. Directories end with a slash.

  write @2 (path :Text, content :Text) -> (bytes :UInt64);
  # Write a scratch file, replacing what it held. Folders that are missing are made.

  delete @3 (path :Text) -> ();
  # Delete a scratch file.
}

interface PatchSets {
  # Changes that are proposed first, and applied once somebody has looked at them.

  list @0 () -> (patches :List(PatchEntry));
  # List the proposed changes.

  show @1 (id :Text) -> (title :Text, edits :List(Edit));
  # Show all edits of a proposed change.

  propose @2 (title :Text, edits :List(Edit)) -> (id :Text);
  # Propose a change. No file is touched.

  apply @3 (id :Text) -> ();
  # Apply a proposed change to the files: all of its edits, or none where one does not fit any more.

  discard @4 (id :Text) -> ();
  # Throw a proposed change away. No file is touched.
}

struct PatchEntry {
  id @0 :Text;
  title @1 :Text;
}

struct Edit {
  path @0 :Text;
  before @1 :Text;
  # What stands there now; it must occur exactly once. Empty: the file does not exist yet.
  after @2 :Text;
  # What shall stand there instead.
}

interface Calculator {
  # Sums that come out right.

  calc @0 (expression :Text) -> (said :Text, value :Text);
  # Work out an expression of numbers, + - * / and brackets. Without a decimal point it is one of whole numbers of 64 bits,
  # whose quotients are cut off towards zero; with one it is exact.
}

interface Echo {
  # What is said to it, it says.

  echo @0 (text :Text) -> (said :Text);
  # Say the same text again.
}

interface Clock {
  # What time the machine takes it to be.

  now @0 () -> (utc :Text, source :Text, trusted :Bool, said :Text);
  # Tell date and time, where they come from, and whether anybody vouches for them.
}

interface ActionPlans {
  # Plans of typed actions, in the name of one session.

  submit @0 (plan :Text) -> (answer :Text);
  # Execute an action plan, a JSON document of llm-osd: its actions in order, each as the session's page decides, until one fails.
}
