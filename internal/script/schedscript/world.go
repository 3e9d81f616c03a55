package schedscript

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// world is what the commands of one script act on: a scheduler, the things the script has given
// names to, and the output so far.
type world struct {
	script.Console
	table script.Table[action]

	clock *scheduler.VirtualClock
	s     *scheduler.Scheduler[*member]

	named   map[string]any // *member, *channel, *mutex, *cell, *operation, fiber.Ticket, *scheduler.Sender
	members []*member      // in order of their creation
	objects []object       // likewise
	issued  []fiber.Ticket // likewise
	names   script.Names

	command string   // the name of the current command
	told    []string // what hooks were told during the command
	refused bool     // the command was refused, so nothing may have changed
}

func newWorld(file string) *world {
	w := &world{Console: script.Console{File: file}, table: commands()}
	w.names = script.NewNames(`[ft]\d+\.\d+`, w.nameOf)
	w.begin(scheduler.Config{})
	return w
}

// limit is how much of anything a script's scheduler holds, unless the script says less.
const limit = 256

// begin replaces the scheduler, and with it everything that had a name.
func (w *world) begin(cfg scheduler.Config) {
	w.clock = scheduler.NewVirtualClock()
	cfg.Clock = w.clock
	for _, n := range []*int{&cfg.MaxFibers, &cfg.MaxTrampolines, &cfg.MaxTokens} {
		if *n <= 0 || *n > limit {
			*n = limit
		}
	}
	cfg.Lost = w.lost
	cfg.Dropped = w.dropped
	w.s = scheduler.New[*member](cfg)
	w.named = map[string]any{}
	w.members, w.objects, w.issued, w.told = nil, nil, nil, nil
}

// Obey carries out one command line and says what came of it.
func (w *world) Obey(l script.Line) {
	if !w.Begin(l, maxCommands) {
		return
	}
	c, words := w.table.Parse(&w.Console, l.Text)
	if c == nil {
		return
	}
	w.command = c.Name()
	a := &args{w: w, usage: c.Usage, words: words[1:]}
	w.s.Now() // the first call in a turn fixes its instant; that must not be a refused command
	before := w.s.Inspect().Dump()
	w.refused = false
	w.guard(func() { c.Do(w, a) })
	if a.err != "" {
		w.reject("%s", a.err)
	}
	w.guard(w.effects)
	if w.refused {
		w.unchanged(before)
	}
	if w.s.Inspect().Poisoned() == nil {
		w.guard(w.s.Inspect().Verify)
	}
}

// answer says what the current command returned.
func (w *world) answer(format string, args ...any) {
	w.Say("%s: %s", w.command, fmt.Sprintf(format, args...))
}

// reject reports a command that the script must not give here.
func (w *world) reject(format string, args ...any) {
	w.Mistake("%s: %s", w.command, fmt.Sprintf(format, args...))
	w.refused = true
}

// deny reports an operation that the library refused with an error, and so without changing
// anything.
func (w *world) deny(err error) {
	w.answer("error: %s", w.names.In(err.Error()))
	w.refused = true
}

// tell notes what a hook was told; it is printed with the effects of the command.
// answerUnless answers, or denies if there is an error.
func (w *world) answerUnless(err error, format string, args ...any) {
	if err != nil {
		w.deny(err)
		return
	}
	w.answer(format, args...)
}

func (w *world) tell(format string, args ...any) {
	w.told = append(w.told, fmt.Sprintf(format, args...))
}

func (w *world) lost(t fiber.Ticket) { w.tell("lost: what was assigned to %s", w.ticket(t)) }

// guard turns the panics that the library declares into output. Any other panic, and a violated
// invariant, is a fault of the library.
func (w *world) guard(f func()) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *scheduler.ContractError:
			w.Say("contract %v: %v: %s", e.Rule, e.Op, w.names.In(e.Fix))
			w.refused = true
		case *wait.ContractError:
			w.Say("contract %v: %s %s: %s", e.Rule, e.Op, e.Object, w.names.In(e.Fix))
		case *panicstate.PhaseError:
			w.Say("contract %v: %s while %v: %s", rule.PanicPhase, e.Op, e.Phase, e.Fix)
			w.refused = e.Op == "Begin" // the others come after Panics, which makes the machine
		case *scheduler.InvariantError:
			w.Blame("invariant %v: %v: %s", e.Rule, e.Op, w.names.In(e.Found))
		default:
			w.Blame("internal error: %v", e)
		}
	}()
	f()
}

// unchanged checks the promise of the library that a refused call has changed nothing.
func (w *world) unchanged(before string) {
	after := w.s.Inspect().Dump()
	if after == before {
		return
	}
	var b strings.Builder
	script.Diff(&b, strings.Split(before, "\n"), strings.Split(after, "\n"))
	w.Blame("the refusal changed the state:\n%s", w.names.In(b.String()))
}
