// How a static program serves a tool: engine/lib/wire/PROTOCOL.md, in C, without a C library. A program that includes this has
//
//   int answer(unsigned method, const char *arguments, char *out, unsigned most);
//
// which writes its result as a JSON object to `out` and gives 1, or a sentence about what went wrong and 0.
//
//   gcc -static -nostdlib -ffreestanding -fno-stack-protector -fno-tree-loop-distribute-patterns -Os -s -o dice dice.c

#include <stdint.h>

enum { CHANNEL = 4, MOST_HOLDERS = 16, MOST_FRAME = 8192, MOST_LINE = 4096, WORD = 8 };
enum { READ = 0, WRITE = 1, CLOSE = 3, POLL = 7, RECVMSG = 47, EXIT_GROUP = 231, GETRANDOM = 318 };
enum { CALL = 0, ANSWER = 1, FAILURE = 2, UNKNOWN_METHOD = 0, FAILED = 2, JSON = 1, READABLE = 1 };

int answer(unsigned method, const char *arguments, char *out, unsigned most);

static long sys(long number, long a, long b, long c) {
  long result;
  register long fourth __asm__("r10") = 0;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
  return result;
}

static unsigned length(const char *text) {
  unsigned size = 0;
  while (text[size] != 0) size += 1;
  return size;
}

static const char *find(const char *text, const char *part) {
  for (; *text != 0; text += 1) {
    unsigned same = 0;
    while (part[same] != 0 && text[same] == part[same]) same += 1;
    if (part[same] == 0) return text + same;
  }
  return 0;
}

/// Half a message is no message: who does not take it all is not served any more.
static int send(long fd, const void *bytes, unsigned size) {
  for (unsigned sent = 0; sent < size;) {
    long more = sys(WRITE, fd, (long)bytes + sent, size - sent);
    if (more <= 0) return 0;
    sent += more;
  }
  return 1;
}

struct holder {
  long fd;
  uint64_t interface_id;
  unsigned size;
  uint64_t words[MOST_FRAME / WORD];
};

static struct holder holders[MOST_HOLDERS];
static unsigned many;

static void let_go(unsigned index) {
  sys(CLOSE, holders[index].fd, 0, 0);
  many -= 1;
  if (index != many) {
    for (unsigned at = 0; at < sizeof holders[0] / WORD; at += 1) ((uint64_t *)&holders[index])[at] = ((uint64_t *)&holders[many])[at];
  }
}

/// A struct that a pointer leads to: where it begins, and how many words of data and of pointers it has.
struct place {
  long at, data, pointers;
};

/// Where a pointer leads; 0 where that is not a struct within the message.
static int follow(const uint64_t *words, long count, long pointer, struct place *found) {
  uint64_t word = words[pointer];
  if (word == 0 || (word & 3) != 0) return 0;
  found->at = pointer + 1 + ((int32_t)word >> 2);
  found->data = word >> 32 & 0xffff;
  found->pointers = word >> 48;
  return found->at > 0 && found->at + found->data + found->pointers <= count;
}

/// The text that a payload of JSON holds; it ends with a zero byte. 0: there is none.
static const char *json_in(const uint64_t *words, long count, const struct place *frame) {
  struct place payload;
  if (frame->pointers < 1 || !follow(words, count, frame->at + frame->data, &payload)) return 0;
  if (payload.data < 1 || payload.pointers < 1 || (words[payload.at] & 0xffff) != JSON) return 0;
  long pointer = payload.at + payload.data;
  uint64_t list = words[pointer];
  long at = pointer + 1 + ((int32_t)list >> 2), size = list >> 35;
  if ((list & 3) != 1 || (list >> 32 & 7) != 2 || at <= 0 || size < 1 || at + (size + 7) / 8 > count) return 0;
  const char *text = (const char *)(words + at);
  return text[size - 1] == 0 ? text : 0;
}

/// A frame with a text: the result as JSON, or the reason of a failure.
static int reply(long fd, uint64_t call_id, int is_answer, unsigned code, const char *text) {
  static uint64_t words[MOST_FRAME / WORD];
  unsigned size = length(text) + 1, list = is_answer ? 8 : 6;
  for (unsigned at = 0; at < sizeof words / WORD; at += 1) words[at] = 0;
  words[1] = 0x0001000300000000; // a struct of three words of data and one pointer: Frame
  words[2] = call_id;
  words[4] = is_answer ? (uint64_t)ANSWER << 16 : (uint64_t)FAILURE << 16 | code;
  if (is_answer) words[5] = 0x0001000100000000; // one word and one pointer: Payload
  if (is_answer) words[6] = JSON;
  words[list - 1] = (uint64_t)size << 35 | 2ull << 32 | 1; // a list of bytes
  for (unsigned at = 0; at + 1 < size; at += 1) ((char *)(words + list))[at] = text[at];
  unsigned whole = list + (size + 7) / 8;
  words[0] = (uint64_t)(whole - 1) << 32;
  return send(fd, words, whole * WORD);
}

/// Answers a frame. 0: the holder does not keep to the protocol.
static int heed(struct holder *from, const uint64_t *words, long count) {
  struct place frame;
  static char out[4096];
  if (!follow(words, count, 0, &frame) || frame.data < 1) return 0;
  uint64_t last = frame.data > 2 ? words[frame.at + 2] : 0;
  unsigned kind = last >> 16 & 0xffff, method = last & 0xffff;
  if (kind > CALL) return kind == 3; // Taken back: it is answered all the same, or was.
  if ((frame.data > 1 ? words[frame.at + 1] : 0) != from->interface_id) return 0;
  const char *arguments = json_in(words, count, &frame);
  if (arguments == 0) return 0;
  int is_answer = answer(method, arguments, out, sizeof out);
  return reply(from->fd, words[frame.at], is_answer, FAILED, out);
}

/// Takes in what has come, and answers every frame that is whole. 0: it is over.
static int hear(struct holder *from) {
  char *bytes = (char *)from->words;
  long more = sys(READ, from->fd, (long)bytes + from->size, MOST_FRAME - from->size);
  if (more <= 0) return 0;
  from->size += more;
  while (from->size >= WORD) {
    uint64_t count = from->words[0] >> 32;
    if ((uint32_t)from->words[0] != 0 || count == 0 || count >= MOST_FRAME / WORD) return 0;
    unsigned whole = (count + 1) * WORD;
    if (from->size < whole) break;
    if (!heed(from, from->words + 1, count)) return 0;
    from->size -= whole;
    for (unsigned at = 0; at < from->size; at += 1) bytes[at] = bytes[at + whole];
  }
  return 1;
}

static uint64_t hexadecimal(const char *text) {
  uint64_t value = 0;
  for (;; text += 1) {
    if (*text >= '0' && *text <= '9') value = value << 4 | (uint64_t)(*text - '0');
    else if (*text >= 'a' && *text <= 'f') value = value << 4 | (uint64_t)(*text - 'a' + 10);
    else return value;
  }
}

/// A line of init's: a connection with whoever may call, a question, or the end.
static void obey(const char *line, long *passed) {
  if (find(line, "\"capos\":\"stop\"")) sys(EXIT_GROUP, 0, 0, 0);
  if (find(line, "\"capos\":\"ping\"")) send(CHANNEL, "{\"capos\":\"pong\"}\n", 17);
  if (!find(line, "\"cmd\":\"NODE_HANDLE\"")) return;
  const char *interface_id = find(line, "\"interfaceId\":\"");
  if (*passed >= 0 && find(line, "\"capos\":\"grant\"") && interface_id && many < MOST_HOLDERS) {
    holders[many].fd = *passed;
    holders[many].size = 0;
    holders[many].interface_id = hexadecimal(interface_id);
    many += 1;
  } else if (*passed >= 0) sys(CLOSE, *passed, 0, 0);
  *passed = -1;
  send(CHANNEL, "{\"cmd\":\"NODE_HANDLE_ACK\"}\n", 26);
}

static void listen_to_init(void) {
  static char line[MOST_LINE + 1], control[24 + WORD];
  static unsigned size;
  static long passed = -1;
  struct { void *base; uint64_t length; } piece = { line + size, MOST_LINE - size };
  struct { void *name; uint64_t name_length; void *pieces; uint64_t count; void *control; uint64_t control_length, flags; } message =
    { 0, 0, &piece, 1, control, sizeof control, 0 };
  long more = sys(RECVMSG, CHANNEL, (long)&message, 0);
  if (more <= 0) sys(EXIT_GROUP, 1, 0, 0);
  if (message.control_length >= 20) passed = *(int32_t *)(control + 16);
  size += more;
  for (unsigned at = 0; at < size; at += 1) {
    if (line[at] != '\n') continue;
    line[at] = 0;
    obey(line, &passed);
    for (unsigned left = at + 1; left < size; left += 1) line[left - at - 1] = line[left];
    size -= at + 1;
    at = -1;
  }
  if (size == MOST_LINE) sys(EXIT_GROUP, 1, 0, 0);
}

__attribute__((force_align_arg_pointer)) void _start(void) {
  static struct { int32_t fd; int16_t wanted, come; } watched[MOST_HOLDERS + 1];
  send(CHANNEL, "{\"capos\":\"ready\"}\n", 18);
  for (;;) {
    watched[0].fd = CHANNEL;
    for (unsigned at = 0; at < many; at += 1) watched[at + 1].fd = holders[at].fd;
    for (unsigned at = 0; at <= many; at += 1) watched[at].wanted = READABLE;
    unsigned polled = many;
    sys(POLL, (long)watched, polled + 1, -1);
    // From the last to the first: who is let go is replaced by one that was heard already.
    for (unsigned at = polled; at > 0; at -= 1)
      if (watched[at].come != 0 && !hear(&holders[at - 1])) let_go(at - 1);
    if (watched[0].come != 0) listen_to_init();
  }
}
