// The state of the scheduler, for any number of fibers, trampolines, tokens and tickets.
//
// It is that of scheduler.pml without its bounds, and with its numbers as they really are:
// a ticket is named by the generation of its slot and a sequence number that never repeats
// (scheduler.pml reuses the smallest number that nobody holds); a fiber may hold any number
// of tokens; a deadline is any number, of which the smaller ones come first.

datatype Opt<A> = None | Some(v: A)

// A slot: of a regular fiber, or of a trampoline. A context is what lives in one.
datatype Slot = R(n: nat) | T(n: nat)

datatype Status = Dead | Runnable | Running | BlkQ | BlkIO | BlkT
datatype Latch = Unarmed | Armed | Latched
datatype Cancel = Calm | Pending | Taken
datatype Why = Queue | IO(k: nat) | Timer

// A wait that is prepared or blocked on, and has not ended: its ticket, and its reason.
datatype Wait = Wait(num: nat, why: Why)

// gen is how many lives of the slot are over. root is the regular fiber under a living
// trampoline and place its place in the chain: what scheduler.pml finds by looking through
// all chains.
datatype Context = Context(st: Status, latch: Latch, wait: Opt<Wait>, due: Opt<nat>, gen: nat, root: Slot, place: nat)

// What only a regular fiber has. depth is how many trampolines are above it; nests: its calls
// are pinned instead of parked; fatal: a Fatal panic is in force.
datatype Fiber = Fiber(frames: bool, nests: bool, doomed: bool, fatal: bool, cancel: Cancel, masks: nat, grace: Opt<nat>, depth: nat)
function Nobody(): Fiber { Fiber(false, false, false, false, Calm, 0, None, 0) }
// A place in the chain of a regular fiber; 0 is the lowest.
datatype Place = Place(f: Slot, i: nat)

datatype TokenState = Free | InFlight | Done | Orphan
// waiter is the waiter map's entry. dev: the device has the operation, unseen by the scheduler.
datatype Token = Token(st: TokenState, owner: Opt<Slot>, waiter: Opt<Slot>, dev: bool)

datatype Ticket = Ticket(c: Slot, gen: nat, num: nat)

// pins is the roots of the calls that are pumped for, the innermost last; last is the newest
// sequence number; out is the tickets in circulation.
datatype State = State(ctx: imap<Slot, Context>, fib: imap<Slot, Fiber>, tok: imap<nat, Token>, chain: imap<Place, Slot>,
                       ready: seq<Slot>, cur: Opt<Slot>, pins: seq<Slot>, last: nat, out: iset<Ticket>)

// The limits, whatever they are: how many lives a slot has, and how many calls may be pinned.
function Lives(): nat
function Deepest(): nat

predicate Total(s: State) {
  (forall c :: c in s.ctx) && (forall c :: c in s.fib) && (forall k: nat :: k in s.tok) && (forall p :: p in s.chain)
}

predicate Blocked(st: Status) { st == BlkQ || st == BlkIO || st == BlkT }

// The top of f's chain executes when f is current.
function Top(s: State, f: Slot): Slot requires Total(s) {
  if s.fib[f].depth == 0 then f else s.chain[Place(f, s.fib[f].depth - 1)]
}
function Root(s: State, c: Slot): Slot requires Total(s) { if c.R? then c else s.ctx[c].root }

predicate Runs(s: State) { s.cur.Some? }
function Exec(s: State): Slot requires Total(s) && Runs(s) { Top(s, s.cur.v) }
predicate Plain(s: State) requires Total(s) { Runs(s) && s.ctx[Exec(s)].latch == Unarmed }
predicate Frameless(s: State, f: Slot) requires Total(s) { !s.fib[f].frames && s.fib[f].depth == 0 }
// f nests and is in a native call: it can leave the CPU only by being pinned.
predicate InCall(s: State, f: Slot) requires Total(s) { s.fib[f].nests && s.fib[f].depth > 0 }
// t is a living trampoline of f's chain.
predicate Above(s: State, f: Slot, t: Slot) requires Total(s) { t.T? && s.ctx[t].st != Dead && s.ctx[t].root == f }
predicate Masked(f: Fiber) { f.masks > 0 }
// f runs only to unwind.
predicate Unwinds(f: Fiber) { f.doomed || f.fatal }
