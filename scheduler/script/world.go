package script

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// world is what the commands of one script act on: a scheduler, the things the script
// has given names to, and the output so far.
type world struct {
	file  string
	line  int
	count int // commands so far
	fault string

	clock *scheduler.VirtualClock
	s     *scheduler.Scheduler[*party]

	names   map[string]any // *party, *channel, *lock, *cell, fiber.Token, fiber.Ticket, *scheduler.Sender
	parties []*party       // in order of their creation
	objects []object       // likewise
	issued  []fiber.Ticket // likewise
	ids     *regexp.Regexp // finds fiber IDs in the library's texts

	out     []string
	asides  []string // what hooks were told during the command
	refused bool     // the command was refused, so nothing may have changed
}

func newWorld(file string) *world {
	w := &world{file: file, ids: regexp.MustCompile(`\b[ft]\d+\.\d+\b( "[^"]*")?`)}
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
	w.s = scheduler.New[*party](cfg)
	w.names = map[string]any{}
	w.parties, w.objects, w.issued, w.asides = nil, nil, nil, nil
}

// say adds to the output: lines without trailing space, and no blank ones, which would
// end the output in the script.
func (w *world) say(format string, args ...any) {
	for s := range strings.Lines(fmt.Sprintf(format, args...)) {
		if s = strings.TrimRight(s, " \t\r\n"); s != "" {
			w.out = append(w.out, s)
		}
	}
}

// aside is say for what a hook was told; it comes with the effects of the command.
func (w *world) aside(format string, args ...any) {
	w.asides = append(w.asides, fmt.Sprintf(format, args...))
}

// deny reports an operation that the library refused with an error, and so without
// changing anything.
func (w *world) deny(cmd string, err error) {
	w.say("%s: error: %s", cmd, w.named(err.Error()))
	w.refused = true
}

// Fault is the first bug of the library that was met, or "".
func (w *world) Fault() string { return w.fault }

// TakeOutput is the output since the last time.
func (w *world) TakeOutput() []string {
	out := w.out
	w.out = nil
	return out
}

// named replaces the IDs in a text of the library by the names of the script.
func (w *world) named(text string) string {
	return w.ids.ReplaceAllStringFunc(text, func(found string) string {
		text, quoted, _ := strings.Cut(found, " ")
		id, err := fiber.ParseID(text)
		p := w.partyOf(id)
		switch {
		case err != nil || p == nil:
			return found
		case quoted == "" || quoted == `"`+p.name+`"`:
			return p.name
		}
		return p.name + " " + quoted
	})
}

// ticket is a ticket as scripts write it: a#3.
func (w *world) ticket(t fiber.Ticket) string { return w.named(t.String()) }

// token is a token as scripts write it: by its name, or its number if it has none.
func (w *world) token(t fiber.Token) string {
	for _, o := range w.objects {
		if op, ok := o.(*operation); ok && op.token == t {
			return op.name
		}
	}
	return fmt.Sprint(uint64(t))
}

// id is a fiber as scripts write it.
func (w *world) id(id fiber.ID) string { return w.named(id.String()) }

// reason is what a fiber waits for, in few words.
func (w *world) reason(r fiber.Reason) string {
	s := r.String()
	if r.Kind == fiber.IO {
		_, rest, _ := strings.Cut(s, ")")
		s = "io " + w.token(r.Token) + rest
	}
	if r.Kind == fiber.Timer {
		s = fmt.Sprintf("timer %v", r.Deadline)
	}
	if r.External {
		s += ", external"
	}
	return s
}

func (w *world) lost(t fiber.Ticket) { w.aside("lost: what was assigned to %s", w.ticket(t)) }
