@0xc41f0a8e6d2b7593;
# Tasks that outlive a run of the machine. The ledger stores text and bytes of models, tools and people unchanged, and never interprets
# them. Times are milliseconds since 1970 by the ledger's clock, which never runs backwards.

struct Submission {
  # A request for a task. The interface says whose session it is.
  name @0 :Text;
  # Name of the task on the page.
  request @1 :Text;
  requester @2 :Text;
  # Principal who requested the task; empty if no person did.
  ingress @3 :Text;
  # `console`, or the name of an ingress on the page.
  policy @4 :Data;
  # SHA-256 of the policy tables.
  label @5 :Data;
  model @6 :Text;
  harness @7 :Text;
  deadline @8 :UInt64;
}

enum TaskStatus {
  open @0;
  blocked @1;
  needsApproval @2;
  reviewing @3;
  done @4;
  failed @5;
  cancelled @6;
  expired @7;
}

struct TaskFacts {
  id @0 :UInt64;
  session @1 :Text;
  number @2 :UInt64;
  # Number of the task in its session, from 1.
  status @3 :TaskStatus;
  reason @4 :Text;
  # Why the task is blocked, failed, cancelled or expired; empty in other statuses.
  submission @5 :Submission;
  objective @6 :Text;
  # The request as the harness understood it; empty until it is known.
  created @7 :UInt64;
  changed @8 :UInt64;
  messages @9 :UInt64;
  # Number of messages of the history.
  isArchived @10 :Bool;
}

enum TaskCause {
  # Reasons that a process may give for a new status of a task.
  block @0;
  finish @1;
  accept @2;
  reject @3;
  fail @4;
  cancel @5;
}

enum StepKind {
  read @0;
  change @1;
  model @2;
}

enum StepState {
  started @0;
  done @1;
  failed @2;
  unknown @3;
  # The machine died, and the change may have happened.
  abandoned @4;
  # The machine died, and the step may be started again.
}

struct StepStart {
  kind @0 :StepKind;
  what @1 :Text;
  # Tool, or backend of a model's answer.
  call @2 :Data;
  # SHA-256 of the canonical call.
}

struct StepFacts {
  task @0 :UInt64;
  number @1 :UInt64;
  # In the task, from 1.
  state @2 :StepState;
  start @3 :StepStart;
  result @4 :Data;
  # Result, or the reason of a failure; empty before the end.
  run @5 :UInt64;
  # Run of the ledger in which the step started.
  started @6 :UInt64;
  ended @7 :UInt64;
  # 0 before the end.
}

struct TaskMessage {
  digest @0 :Data;
  # SHA-256 of the bytes.
  bytes @1 :Data;
}

struct ApprovalQuestion {
  tool @0 :Text;
  call @1 :Data;
  # SHA-256 of the canonical call.
  arguments @2 :Data;
  # Canonical arguments, which people see.
  policy @3 :Data;
  label @4 :Data;
  askedOf @5 :List(Text);
  # Principals who may answer.
  quorum @6 :UInt16;
  # Number of principals who must approve.
  deadline @7 :UInt64;
  # Time from which the approval counts as denied.
}

enum ApprovalState {
  pending @0;
  approved @1;
  denied @2;
  used @3;
  # A step with the approved call was started.
  void @4;
  # The tables, the label or the resource changed, or the task ended.
}

struct ApprovalFacts {
  id @0 :UInt64;
  task @1 :UInt64;
  state @2 :ApprovalState;
  reason @3 :Text;
  # Why the approval was denied or is void; empty otherwise.
  question @4 :ApprovalQuestion;
  asked @5 :UInt64;
  step @6 :UInt64;
  # Number of the step that used the approval; 0 if none did.
}

struct ApprovalAnswer {
  principal @0 :Text;
  approves @1 :Bool;
  surface @2 :Text;
  # Where the person answered, for example `console`.
  mac @3 :Data;
  # MAC of the broker over the answer: the ledger cannot make one.
  at @4 :UInt64;
  # Set by the ledger.
}

struct LedgerEvent {
  at @0 :UInt64;
  task @1 :UInt64;
  kind @2 :EventKind;
  label @3 :Data;
  body @4 :Text;
}

enum EventKind {
  submitted @0;
  status @1;
  stepStarted @2;
  stepEnded @3;
  asked @4;
  answered @5;
  decided @6;
  archived @7;
  purged @8;
}

interface TaskRecord {
  # Held by the gate of a worker. It reaches the task that the host assigned to this worker; no parameter can name another one.
  facts @0 () -> (task :TaskFacts);
  startStep @1 (start :StepStart) -> (number :UInt64);
  # When the number is returned, the start is on the disk, and the effect may begin.
  startApproved @2 (start :StepStart, approval :UInt64, policy :Data, label :Data) -> (number :UInt64, answers :List(ApprovalAnswer), voided :Text);
  # Starts a step with an approved call, once. voided: the approval does not fit this call any more, and nothing started.
  endStep @3 (number :UInt64, failed :Bool, result :Data) -> ();
  steps @4 (after :UInt64, most :UInt16) -> (steps :List(StepFacts));
  # Steps with a number above `after`, in order, as many as fit into one frame.
  append @5 (from :UInt64, messages :List(TaskMessage)) -> (count :UInt64);
  # from: the number of messages that the caller knows. If another message was added since, nothing is stored.
  messages @6 (from :UInt64) -> (messages :List(TaskMessage));
  # Messages from this position, in order, as many as fit into one frame.
  describe @7 (objective :Text, label :Data) -> ();
  ask @8 (question :ApprovalQuestion) -> (approval :UInt64);
  approvals @9 () -> (approvals :List(ApprovalFacts));
  finish @10 () -> ();
  # The worker reports that the work is done; the task is `reviewing` then.
  stop @11 (cause :TaskCause, reason :Text) -> ();
  # cause: `block` or `fail`.
}

interface TaskDesk {
  # Held by the gate of a session, for people's commands. The grant fixes the session.
  submit @0 (submission :Submission) -> (id :UInt64, number :UInt64);
  list @1 (before :UInt64, most :UInt16) -> (tasks :List(TaskFacts));
  # Tasks with a number below `before`, the newest first; 0: from the newest on.
  show @2 (number :UInt64) -> (task :TaskFacts, steps :List(StepFacts), approvals :List(ApprovalFacts));
  # steps: the newest ones that fit.
  approvals @3 (most :UInt16) -> (approvals :List(ApprovalFacts));
  # Pending approvals of the session, the oldest first.
  answer @4 (approval :UInt64, answer :ApprovalAnswer) -> (state :ApprovalState);
  # The first answer of each principal counts.
  cancel @5 (number :UInt64, reason :Text) -> ();
  takeUp @6 (number :UInt64, policy :Data) -> (status :TaskStatus);
  # Continues a blocked task under the present tables.
  resolve @7 (number :UInt64, step :UInt64, happened :Bool, by :Text, note :Text) -> ();
  # Records what a person states about a step that is `unknown`.
  close @8 (number :UInt64, purge :Bool) -> ();
  # Hides an ended task from lists, or removes it.
  events @9 (cursor :Data) -> (events :List(LedgerEvent), cursor :Data, hasMore :Bool);
  # Events after this cursor; empty: from the first one on.
}

interface TaskHost {
  # Held by the host, which runs tasks.
  open @0 (after :UInt64, most :UInt16) -> (tasks :List(TaskFacts));
  # Tasks of all sessions that have not ended, with an id above `after`, in the order of their ids.
  change @1 (task :UInt64, cause :TaskCause, reason :Text) -> (status :TaskStatus);
  # cause: `block`, `accept`, `reject` or `fail`.
  interrupted @2 (most :UInt16) -> (steps :List(StepFacts));
  # Steps that the end of an earlier run of the ledger interrupted.
  reconcile @3 (task :UInt64, number :UInt64, finding :Finding) -> (state :StepState);
  # Settles an interrupted step, as the log of the machine shows.
  beginSchedule @4 (name :Text) -> (through :UInt64);
  # Time up to which the runs of the schedule are handled. A new schedule begins now.
  submitRuns @5 (session :Text, name :Text, from :UInt64, through :UInt64, count :UInt16, submission :Submission) -> (numbers :List(UInt64));
  # Submits the task once for each run, and handles the schedule up to `through`, or does neither.
  expire @6 () -> (changed :UInt64, at :UInt64);
  # Denies approvals and expires tasks whose deadline has passed. at: the ledger's time.
  assign @7 (worker :Text, task :UInt64) -> (task :TaskFacts);
  # From now on the gate of this worker reaches only this task, which must be open and of the worker's ingress. worker: name of
  # its process, such as `gate.operator.nightly`.
  withdraw @8 (worker :Text) -> ();
  # From now on the gate of this worker reaches no task.
}

interface Worker {
  # Held by the host. Served by the gate of a worker, which runs one task after another.
  begin @0 () -> (message :Text);
  # Begins the task that the ledger assigned to this worker, in a conversation of its own. message: what the ingress of the page
  # says, for the loop.
  finish @1 (said :Text, fault :Text) -> (status :TaskStatus);
  # The loop has ended its turn. Records what the loop wrote, and ends the task. fault: why the turn did not end by itself; empty
  # otherwise.
}

enum Finding {
  # What the log of the machine shows of a step that was interrupted.
  notRun @0;
  # There is no intent.
  ran @1;
  # There is an outcome.
  unknown @2;
  # There is an intent without an outcome.
}
