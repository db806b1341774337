@0xd5c92b7e40f18a06;
# What the process with the network interface may do for whom: an artefact of the manifest, signed with it. A connection's
# badge says which endpoint it is for; nothing that a caller says does.

struct Egress {
  schemaVersion @0 :UInt32;
  endpoints @1 :List(Endpoint);
  # In code-unit order of names.
  holders @2 :List(Holder);
  # In the order of badges.
  secrets @3 :List(Secret);
  # In code-unit order of names. Of each only what no one but this machine can open.
}

struct Secret {
  # A credential as `capc secret seal` writes it: for one server, and for the machines whose keys were named.
  schemaVersion @0 :UInt32;
  name @1 :Text;
  origin @2 :Text;
  # "https://status.example.net": it is sent there and nowhere else. A part of what is sealed.
  copies @3 :List(Copy);
  # One for each machine.
}

struct Copy {
  recipient @0 :Data;
  # Public key of the machine: X25519, 32 bytes.
  encapsulated @1 :Data;
  sealed @2 :Data;
  # HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305.
}

struct Holder {
  badge @0 :UInt64;
  # Of the grant, as the manifest has it.
  endpoint @1 :UInt16;
  # Index into endpoints.
}

interface HttpExchange {
  # Held by the worker of a remote model: an HttpEndpoint of one address, to which JSON is posted, and whose answers are read
  # as they come. Scheme, host, port, path and credential are the page's.

  ask @0 (body :Text) -> (status :UInt16, contentType :Text, retryAfter :Text, unsent :Text);
  # Waits for the head of the answer. One exchange is under way at most: another ends it.
  # unsent: why the server got not a byte of the request; empty where it may have. Else there is no head.
  read @1 () -> (bytes :Data, end :Bool);
  # What came since; waits where nothing did. end: the body was whole.
  stop @2 () -> ();
  # The answer is no longer wanted. The connection to the server ends.
}

interface SyslogExit {
  # Held by the audit where its collector takes syslog (RFC 5424 over TCP with octet counting, RFC 6587, or TLS, RFC 5425).
  send @0 (messages :List(Text)) -> ();
  # Each a whole message in printable ASCII; the lengths before them are written here. One connection for all of them. Returns
  # once the server has closed its side behind ours: syslog has no other word for what came there.
}

struct Endpoint {
  name @0 :Text;
  # Of the service or backend that it is for.
  places @1 :List(Place);
  # What may be asked; one alone for HttpEndpoint.
  methods @2 :List(Text);
  # "GET", "POST".
  requestBytes @3 :UInt32;
  responseBytes @4 :UInt32;
  # Of the body, each.
  milliseconds @5 :UInt32;
  # From the first look-up to the last byte.
  secret @6 :Text;
  # Name of the credential that goes with each request; empty: none.
  pins @7 :List(Data);
  # SHA-256 of public keys (SubjectPublicKeyInfo). With any, the server must have one of them, and no authority is asked.
  secretInTheClear @8 :Bool;
  # The page lets the credential go without TLS, to an address that is not public.
}

struct Place {
  scheme @0 :Text;
  # "http" or "https"; of a SyslogExit "syslog" or "syslog+tls".
  host @1 :Text;
  # In lower case, as a URL has it: a name, or an IPv4 address, which is dialled as it stands.
  port @2 :UInt16;
  path @3 :Text;
  # What a request asks for lies below it, by whole segments; begins with a slash.
}
