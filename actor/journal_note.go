package actor

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// journal makes the lines of a system's journal, while it runs or is run again.
type journal[M any] struct {
	codec Codec[M]
	// sink writes the lines, or compares them with those of another run.
	sink interface {
		line(text []byte, err error)
	}
	player *Player[M] // nil if this is the first run
}

// keep has a new system keep a journal.
func (s *System[M]) keep(j *journal[M]) error {
	if s.journal != nil || s.stats != (Stats{}) || s.queue.len() != 1 || s.actors.live != 1 {
		return errStarted
	}
	s.journal = j
	s.queue.most, s.queue.room = 0, 0 // every Send looks closer
	return nil
}

// isInput tells whether what is given now comes from code that a replay does not run:
// from outside a turn, or from an asynchronous actor's.
func (s *System[M]) isInput() bool { return s.journal != nil && (!s.busy || s.foreign) }

func (j *journal[M]) header(seed uint64) []byte {
	return fmt.Appendf(nil, `{"journal":"selvage actors","version":%d,"seed":%d}`, journalVersion, seed)
}

func (j *journal[M]) turn(at fiber.Time) {
	j.sink.line(fmt.Appendf(nil, `{"turn":%d}`, int64(at)), nil)
}

// do is a command that is carried out now, or has been blocked.
func (j *journal[M]) do(s *System[M], c *taken[M], blocked bool) {
	n := note{what: c.op.public().String(), from: c.from, to: c.to, cause: c.cause}
	var err error
	switch c.op {
	case OpSpawn:
		if a := s.actors.find(c.to); a != nil {
			n.name = a.spec.Name
		}
	case OpSend, opCounted:
		n.msg, err = j.encode(c.msg)
	}
	text := n.append([]byte(`{"do":`))
	if blocked {
		text = append(text, `,"blocked":true`...)
	}
	j.sink.line(append(text, '}'), err)
}

// in is something that came from code which a replay does not run.
func (j *journal[M]) in(n note) { j.sink.line(append(n.append([]byte(`{"in":`)), '}'), nil) }

// inWith is in with a message.
func (j *journal[M]) inWith(n note, msg M) {
	var err error
	n.msg, err = j.encode(msg)
	j.sink.line(append(n.append([]byte(`{"in":`)), '}'), err)
}

func (j *journal[M]) encode(msg M) ([]byte, error) {
	text, err := j.codec.Encode(msg)
	if err == nil && (!json.Valid(text) || slices.Contains(text, '\n')) {
		err = fmt.Errorf("actor: the Codec encodes a message as %.100q, which is no JSON value on one line", text)
	}
	if err != nil {
		return []byte("null"), err
	}
	return text, nil
}

// note is what a line is made of; zero fields are left out.
type note struct {
	what     string
	from, to Handle // of a command, or of a watcher
	actor    Handle // whose fiber it is about
	name     string
	cause    error
	failed   bool
	n        int
	msg      []byte
}

func (n *note) append(text []byte) []byte {
	text = appendText(text, n.what)
	if n.actor != Outside {
		text = appendText(append(text, `,"actor":`...), n.actor.String())
	} else if n.what != "panic" && n.what != "goexit" {
		text = appendText(append(text, `,"from":`...), n.from.String())
		text = appendText(append(text, `,"to":`...), n.to.String())
	}
	if n.name != "" {
		text = appendText(append(text, `,"name":`...), n.name)
	}
	if n.cause != nil {
		text = appendText(append(text, `,"cause":`...), n.cause.Error())
	}
	if n.failed {
		text = append(text, `,"failed":true`...)
	}
	if n.n != 0 {
		text = fmt.Appendf(text, `,"n":%d`, n.n)
	}
	if n.msg != nil {
		text = append(append(text, `,"msg":`...), n.msg...)
	}
	return text
}

// appendText appends a JSON string.
func appendText(text []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // every string has a form in JSON
	return append(text, quoted...)
}
