package script

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// command is a row of the table. run parses all its words before it does anything.
type command struct {
	name  string
	usage string
	does  string
	run   func(*world, *args)
}

// Obey carries out one command line and says what came of it.
func (w *world) Obey(l transcript.Line) {
	w.line = l.Number
	if w.count++; w.count > maxCommands {
		if w.count == maxCommands+1 {
			w.mistake("a script has at most %d commands; split the story", maxCommands)
		}
		return
	}
	words, err := transcript.Split(l.Text)
	if err != nil {
		w.mistake("%v", err)
		return
	}
	c, ok := lookUp(words[0])
	if !ok {
		w.unknown(words[0])
		return
	}
	a := &args{w: w, usage: c.usage, words: words[1:]}
	w.s.Now() // the first to ask in a turn fixes its instant: that shall not be a refused command
	before := w.s.Inspect().Snapshot()
	w.refused = false
	w.guard(func() { c.run(w, a) })
	if a.err != "" {
		w.mistake("%s: %s", c.name, a.err)
		w.refused = true
	}
	w.guard(w.effects)
	if w.refused {
		w.unchanged(before)
	}
	if w.s.Inspect().Poisoned() == nil {
		w.guard(w.s.Inspect().Verify)
	}
}

func lookUp(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// mistake reports a wrong script: where, what, and how to mend it.
func (w *world) mistake(format string, args ...any) {
	w.say("%s:%d: %s", w.file, w.line, fmt.Sprintf(format, args...))
}

func (w *world) unknown(word string) {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if best := transcript.Nearest(word, names); best != "" {
		w.mistake("no command %q; did you mean %s?", word, best)
		return
	}
	w.mistake("no command %q; docs/scripts.md lists them", word)
}

// guard turns the panics that the library declares into output. Any other, and a
// violated invariant, is a fault of the library.
func (w *world) guard(f func()) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *scheduler.ContractError:
			w.say("contract %v: %v: %s", e.Rule, e.Op, w.named(e.Fix))
			w.refused = true
		case *wait.ContractError:
			w.say("contract %v: %s %s: %s", e.Rule, e.Op, e.Object, w.named(e.Fix))
		case *panicstate.PhaseError:
			w.say("contract %v: %s while %v: %s", rule.PanicPhase, e.Op, e.Phase, e.Mend)
			w.refused = e.Op == "Begin" // the others come after Panics, which makes the machine
		case *scheduler.InvariantError:
			w.blame("invariant %v: %v: %s", e.Rule, e.Op, w.named(e.Found))
		default:
			w.blame("internal error: %v", e)
		}
	}()
	f()
}

// blame reports a fault of the library.
func (w *world) blame(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.say("%s", text)
	if w.fault == "" {
		w.fault = fmt.Sprintf("%s:%d: %s", w.file, w.line, text)
	}
}

// unchanged holds the library to its word that a refused call has changed nothing.
func (w *world) unchanged(before string) {
	after := w.s.Inspect().Snapshot()
	if after == before {
		return
	}
	var b strings.Builder
	transcript.Diff(&b, strings.Split(before, "\n"), strings.Split(after, "\n"))
	w.blame("the refusal changed the state:\n%s", w.named(b.String()))
}
