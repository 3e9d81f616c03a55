package scheduler

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// What a zero Config means. Its fields document the same numbers.
const (
	defaultMaxFibers      = 1 << 24
	defaultMaxTrampolines = 1 << 16
	defaultMaxTokens      = 1 << 20
	defaultMaxTimers      = 1 << 25
	defaultMaxCommands    = 1 << 20
	defaultMaxNesting     = 64
	defaultBudget         = 10_000
)

// Config is what a scheduler is made with. The zero Config is usable: virtual clock,
// default limits, seed 0. A limit that is 0 or negative is the default.
//
// The hooks are called on the owner's goroutine, within an operation. They must not call the
// scheduler (rule ONE-OWNER) and must not panic (rule HOOK-RETURNS).
type Config struct {
	// Number tells schedulers apart in tickets; give each scheduler of a process its
	// own, or one may accept a ticket of another. It is an input, so that runs stay
	// reproducible. Objects are refused to another scheduler even if it has the same number.
	Number uint16
	// MaxFibers, MaxTrampolines and MaxTokens bound what is alive at once.
	MaxFibers      int // default 1<<24
	MaxTrampolines int // default 1<<16
	MaxTokens      int // default 1<<20
	// MaxTimers bounds how many deadlines of waits and alarms may be on at once; ask
	// TimerRoom before each. The grace periods of cancelled fibers count, and are never
	// refused. The ready queue needs no limit: each living fiber is in it once at most.
	// The default is 1<<25.
	MaxTimers int
	// MaxCommands bounds how many commands of other goroutines may wait for the owner; one
	// more is ErrInboxFull. The default is 1<<20.
	MaxCommands int
	// MaxNesting bounds how many native calls may be pinned on one another, each with
	// a pump on the native stack. It matters to fibers that nest only. The default is 64.
	MaxNesting int
	// Generations is how many fibers, or native calls, can live in a slot one after the
	// other; then it is retired, and what is alive at once is limited to the rest. 0 is
	// fiber.MaxGeneration; with a small number a test of a host can use up the slots.
	Generations uint32
	// FirstSequence is the number of the first wait, from 1 to fiber.MaxSeq; 0 means 1. With a
	// large number a test of a host can use up the waits (WaitRoom).
	FirstSequence uint64
	// Budget is what one slice may use, in the host's own units. The scheduler only stores it
	// (Inspect.Budget): the host counts, and ends the slice. The default is 10,000.
	Budget int
	// Seed starts the generator of every random choice (select). The same seed and inputs give
	// the same transitions.
	Seed uint64
	// Choose decides, instead of the scheduler, which ready fiber is mounted next, which case of a
	// select is carried out if several are ready, and where fibers are preempted (Choices). The
	// answer is 0 to Choice.Options-1. It is for exploring the schedules of a program: a run with
	// the same answers is the same, and the longest-waiting fiber is still served first by what it
	// waits for. Nil is first in, first out, and costs nothing. Otherwise each slice costs a call and
	// time in proportion to the ready fibers.
	Choose func(Choice) int
	// Touched is for a run with Choose: it is called with what the steps of the fibers use in common
	// (Choices.Touch). Without an object a step of the fiber begins: it has been chosen, or goes on
	// after a Point. A nil among the objects says that the step may use anything. The slice is valid
	// during the call. Nil is not called.
	Touched func(id fiber.ID, objects []any)
	// Linger lets a run continue when its main fiber has returned, until no fiber is ready, instead
	// of killing the others: fibers that can never run again are then a LeakError. A run that
	// others would keep busy ends with its context.
	Linger bool
	// Clock tells the time and parks an idle loop; nil is a new VirtualClock.
	Clock Clock
	// Grace is how long, by Clock, a cancelled fiber may unwind before it is killed; 0 means
	// no limit.
	Grace time.Duration
	// Observer is called for every transition, in order; for a transition that is inlined
	// into the host's loop, at most a batch later. Nil costs nothing. Otherwise it costs a
	// call for each transition, and every operation takes its slow path; the results are
	// the same.
	Observer func(Transition)
	// Record receives the transitions in bulk, for a recording of recent events (package recorder): the
	// entries that the history has gained since the last call, oldest first, at most 128. The slice is valid during
	// the call. With between, the entries came from outside of the slices (commands, completions, timers). At the end
	// of a turn of the loop, turns is how many have ended since it was last not 0; else it is 0.
	//
	// It is called before an entry is overwritten, and at the end of a turn if entries came from outside, if about
	// eighty are there, if no fiber is ready, or after 32 turns without a call. If the last call has returned each,
	// it is called twice in each turn, also without entries: when the slices of the batch have ended, and with
	// between when the outside has been served.
	//
	// It may call Inspect. Nil costs nothing. Otherwise it costs a few comparisons for each turn, and the calls; an
	// Observer receives more of each transition, and costs more.
	Record func(entries []Entry, between bool, turns int) (each bool)
	// OneByOne has each batch be one fiber, so that Record is called after each slice, and every input
	// is served before the next. A slice then costs a poll.
	OneByOne bool
	// GoTools has the hosts that run guests show each fiber to Go's own tools (stackful and with it Lua and
	// WebAssembly, host/minigo): while runtime/trace is on, as a task with a region for each slice; and by the pprof labels
	// fiber and name of the goroutine that it runs on, and of guests function, the guest function in which the slice
	// begins. The scheduler only stores it. A slice then costs some tenths of a microsecond more, or one to two while a
	// trace runs.
	GoTools bool
	// Site returns the position of a fiber in the guest's program, for reports; nil leaves
	// positions out.
	Site func(fiber.RegularID) string
	// Lost is called with the ticket of each result that was assigned to a fiber which
	// died before it could collect it, or whose wait ended otherwise before the wake-up was
	// applied (I12). The value itself goes back to its source.
	Lost func(fiber.Ticket)
	// Unobserved is called for each failed fiber whose error was not read: at once if the
	// error cannot be read (the fiber has no Cell, Ended or Link), else when Run ends
	// (ReportUnobserved), in the order of their deaths. At most a thousand failures are
	// kept for a reader; then the older half is checked, so that memory stays bounded.
	//
	// A fiber failed if it ended with an error, a panic, or a kill because its grace
	// period was over. One that ended with the cause of its own cancel or kill did not:
	// that end was requested. The main fiber's error is the host's to read, and a panic
	// that fails the run is Run's error.
	Unobserved func(*UnobservedError)
	// Dropped is given each completion no fiber will ever take, so that what it
	// holds, such as an open connection, can be closed (I12).
	Dropped func(fiber.Token, ioqueue.Completion)
}

// withDefaults fills in the defaults, and lowers the limits that an ID has no room for.
func (cfg Config) withDefaults() Config {
	setDefault(&cfg.MaxFibers, defaultMaxFibers)
	setDefault(&cfg.MaxTrampolines, defaultMaxTrampolines)
	setDefault(&cfg.MaxTokens, defaultMaxTokens)
	setDefault(&cfg.MaxTimers, defaultMaxTimers)
	setDefault(&cfg.MaxCommands, defaultMaxCommands)
	setDefault(&cfg.MaxNesting, defaultMaxNesting)
	setDefault(&cfg.Budget, defaultBudget)
	if cfg.Generations == 0 {
		cfg.Generations = fiber.MaxGeneration
	}
	cfg.FirstSequence = min(max(cfg.FirstSequence, 1), fiber.MaxSeq)
	cfg.MaxFibers = min(cfg.MaxFibers, fiber.MaxIndex)
	cfg.MaxTrampolines = min(cfg.MaxTrampolines, fiber.MaxIndex)
	if cfg.Clock == nil {
		cfg.Clock = NewVirtualClock()
	}
	return cfg
}

func setDefault(v *int, d int) {
	if *v <= 0 {
		*v = d
	}
}
