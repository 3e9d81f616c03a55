package script

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/stackful"
)

// world is what the commands of one script act on: a system, who has a name in it, and the
// output so far.
type world struct {
	file  string
	line  int
	count int
	fault string
	cast  Cast

	rt       *stackful.Runtime
	sys      *actor.System[string]
	opts     actor.Options[string]
	root     []string // the words of its role
	journal  *bytes.Buffer
	recorder *actor.Recorder[string]
	blocks   []func() // take blocking middleware away
	over     bool     // the journal is closed

	names map[string]actor.Handle
	plans map[string][]string // by name, the words it was spawned with
	ids   *regexp.Regexp

	out  []string
	told []string // what happened during the command
	more int      // happenings that were not told any more
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

func newWorld(file string, cast Cast) *world {
	w := &world{file: file, cast: cast, ids: regexp.MustCompile(`\ba\d+\.\d+\b( "[^"]*")?`)}
	w.begin(nil, actor.Options[string]{})
	return w
}

// begin replaces the system, and with it all names. It tells whether there is a role like that.
func (w *world) begin(root []string, o actor.Options[string]) error {
	w.close()
	w.names, w.plans, w.blocks = map[string]actor.Handle{}, map[string][]string{}, nil
	w.root, w.opts, w.over = root, o, false
	if err := w.furnish(); err != nil {
		return err
	}
	w.names["root"] = w.sys.Input()
	w.journal = new(bytes.Buffer)
	var err error
	w.recorder, err = actor.Record(w.sys, w.journal, actor.JSON[string]())
	return err
}

// furnish makes a system as the script has asked for.
func (w *world) furnish() error {
	w.rt = stackful.New(stackful.Config{})
	w.at = 0
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

// observe tells of each command when its turn has come.
func (w *world) observe(c *actor.Command[string]) actor.Ruling {
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
	return actor.Pass
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

// tell notes something that happened; it comes behind what the command says.
func (w *world) tell(format string, args ...any) {
	if len(w.told) >= maxTold {
		w.more++
		return
	}
	if now := w.sys.Now(); now != w.at {
		w.at = now
		w.told = append(w.told, fmt.Sprintf("  %v", now))
	}
	w.told = append(w.told, "  "+w.named(fmt.Sprintf(format, args...)))
}

// say adds to the output: lines without trailing space, and no blank ones.
func (w *world) say(format string, args ...any) {
	for s := range strings.Lines(fmt.Sprintf(format, args...)) {
		if s = strings.TrimRight(s, " \t\r\n"); s != "" {
			w.out = append(w.out, s)
		}
	}
}

// flush says what happened during the command.
func (w *world) flush() {
	told, more := w.told, w.more
	w.told, w.more = nil, 0
	for _, s := range told {
		w.say("%s", s)
	}
	if more > 0 {
		w.say("  … and %d more", more)
	}
}

// TakeOutput is the output since the last time.
func (w *world) TakeOutput() []string {
	out := w.out
	w.out = nil
	return out
}

// Fault is the first bug of the library that was met, or "".
func (w *world) Fault() string { return w.fault }

// named replaces the handles in a text of the library by the names of the script.
func (w *world) named(text string) string {
	return w.ids.ReplaceAllStringFunc(text, func(found string) string {
		h, err := actor.ParseHandle(strings.Fields(found)[0])
		if err != nil {
			return found
		}
		for name, known := range w.names {
			if known == h {
				return name
			}
		}
		return found
	})
}

// handle is whom a word means: a name, "output", or a handle, which may be forged.
func (w *world) handle(word string) (actor.Handle, error) {
	if h, ok := w.names[word]; ok {
		return h, nil
	}
	h, err := actor.ParseHandle(word)
	if err != nil {
		return 0, fmt.Errorf("nobody is called %q%s", word, w.meant(word))
	}
	return h, nil
}

func (w *world) meant(word string) string {
	var names []string
	for name := range w.names {
		names = append(names, name)
	}
	return didYouMean(word, names)
}

// didYouMean is a question, if a candidate is near.
func didYouMean(word string, candidates []string) string {
	if best := transcript.Nearest(word, sorted(candidates)); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

var errNoRole = errors.New("no such role")
