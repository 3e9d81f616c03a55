package actorscript

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/stackful"
)

// world is what the commands of one script act on: a system, the names of its actors, and the
// output so far.
type world struct {
	script.Console
	table script.Table[action]
	roles Roles

	rt       *stackful.Runtime
	sys      *actor.System[string]
	opts     actor.Options[string]
	root     []string // the words of its role
	journal  *bytes.Buffer
	recorder *actor.Recorder[string]
	blocks   []block
	seen     int  // commands that the system has carried out or blocked
	over     bool // the journal is closed

	named map[string]actor.Handle
	plans map[string][]string // by name, the words it was spawned with
	names script.Names

	told []string // what happened during the command
	more int      // events that were dropped because told was full
	at   fiber.Time
	done int // commands of actors carried out during the command
	all  int // and in the whole script
	stop func()
}

// How much of anything there is in a script, so that none runs for long.
const (
	maxCommands = 500  // of the script
	maxCarried  = 2000 // of actors, for one command of the script
	maxInAll    = 20_000
	maxTold     = 60 // lines for one command of the script
)

func newWorld(file string, roles Roles) *world {
	w := &world{Console: script.Console{File: file}, table: commands(), roles: roles}
	w.names = script.NewNames(`a\d+\.\d+`, w.nameOf)
	w.begin(nil, actor.Options[string]{})
	return w
}

// begin replaces the system, and with it all names. It fails if there is no such role.
func (w *world) begin(root []string, o actor.Options[string]) error {
	w.close()
	w.named, w.plans, w.blocks = map[string]actor.Handle{}, map[string][]string{}, nil
	w.root, w.opts, w.over = root, o, false
	if err := w.build(); err != nil {
		return err
	}
	w.named["root"] = w.sys.Input()
	w.journal = new(bytes.Buffer)
	var err error
	w.recorder, err = actor.Record(w.sys, w.journal, actor.JSON[string]())
	return err
}

// build makes the system that the script has asked for.
func (w *world) build() error {
	w.rt = stackful.New(stackful.Config{})
	w.at, w.seen = 0, 0
	o := w.opts
	o.MaxActors, o.MaxQueue = limited(o.MaxActors, 200), limited(o.MaxQueue, 2000)
	o.DeadLetter = func(l actor.DeadLetter[string]) { w.tell("dead letter for %v: %s: %v", l.To, l.Msg, l.Why) }
	o.Ended = w.ended
	o.Fault = func(err error) { w.tell("fault: %v", err) }
	spec, err := w.spec("root", w.root)
	if err == nil {
		w.sys, err = goactor.New(w.rt, spec, o)
	}
	if err == nil {
		w.sys.Use(w.observe)
	}
	return err
}

func limited(n, most int) int {
	if n <= 0 || n > most {
		return most
	}
	return n
}

func (w *world) close() {
	if w.rt != nil {
		w.rt.Close()
		w.rt = nil
	}
}

// observe notes each command when the system carries it out, unless the script blocks it.
func (w *world) observe(c *actor.Command[string]) bool {
	w.all++
	if w.done++; w.done == maxCarried && w.stop != nil {
		w.stop()
	}
	switch {
	case c.Op == actor.OpSend:
		w.tell("%v → %v: %s", c.From, c.To, c.Msg)
	case c.Cause != nil:
		w.tell("%v → %v: %v: %v", c.From, c.To, c.Op, c.Cause)
	default:
		w.tell("%v → %v: %v", c.From, c.To, c.Op)
	}
	blocked := w.blocked(c)
	if w.seen++; blocked {
		w.tell("blocked")
	}
	return !blocked
}

func (w *world) ended(d actor.Death) {
	how := "ended"
	if d.Failed {
		how = "failed"
	}
	if d.Restarts {
		how += ", will be back"
	}
	if d.Cause != nil {
		how += ": " + d.Cause.Error()
	}
	w.tell("%v %s", d.Actor, how)
}

// tell notes an event; it is printed behind the answer of the command.
func (w *world) tell(format string, args ...any) {
	if len(w.told) >= maxTold {
		w.more++
		return
	}
	if now := w.sys.Now(); now != w.at {
		w.at = now
		w.told = append(w.told, fmt.Sprintf("  %v", now))
	}
	w.told = append(w.told, "  "+w.inScript(fmt.Sprintf(format, args...)))
}

// flush says what happened during the command.
func (w *world) flush() {
	told, more := w.told, w.more
	w.told, w.more = nil, 0
	for _, s := range told {
		w.Say("%s", s)
	}
	if more > 0 {
		w.Say("  … and %d more", more)
	}
}

// inScript is a text of the library with the names of the script.
func (w *world) inScript(text string) string { return w.names.In(text) }

// nameOf is the name that the script gave to the actor with a handle, or "".
func (w *world) nameOf(text string) string {
	h, err := actor.ParseHandle(text)
	for name, known := range w.named {
		if err == nil && known == h {
			return name
		}
	}
	return ""
}

// handle is the actor that a word means: a name, "output", or a handle, which may be forged.
func (w *world) handle(word string) (actor.Handle, error) {
	if h, ok := w.named[word]; ok {
		return h, nil
	}
	h, err := actor.ParseHandle(word)
	if err != nil {
		return 0, fmt.Errorf("no actor is called %q%s", word, w.meant(word))
	}
	return h, nil
}

func (w *world) meant(word string) string {
	return didYouMean(word, slices.Collect(maps.Keys(w.named)))
}

// didYouMean is a question, if a candidate is near.
func didYouMean(word string, candidates []string) string {
	if best := script.Nearest(word, slices.Sorted(slices.Values(candidates))); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

var errNoRole = errors.New("no such role")
