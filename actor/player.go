package actor

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Player runs a system as its journal says: it gives it what came from outside and from
// asynchronous actors, in the same places, and has it carry out its commands one by one.
// Each line that the replay would write is compared with that of the journal. Fibers are
// not started; the clock is that of the journal.
//
// The system must be made and furnished like the recorded one: same root, same limits, same
// seed, same middleware. What is put out is not kept. Only Play drives the system, also after the
// end of the journal: Turn, Next and All panic with a contract error.
type Player[M any] struct {
	spec  func(name string) (Spec[M], error)
	sys   *System[M]
	in    *reader
	at    fiber.Time
	ended error // why nothing more is read; io.EOF at the end of the journal
	diff  error
}

var (
	errNotAlive = errors.New("the actor that is said to have done this is not alive")
	errWhat     = errors.New("no line of a journal")
	errNoSpec   = errors.New("an actor was spawned from outside; give NewPlayer a spec function")
	errBack     = errors.New("the time goes backwards")
	errNoFiber  = errors.New("the actor has no fiber")
)

// NewPlayer reads the first line of a journal. Play does the rest. Spec returns, by its
// name, the Spec of an actor that was spawned by code that a replay does not run; it may be
// nil if there are none. A replay does not call the Start of such a Spec. Errors: a
// *JournalError, or those of Record.
func NewPlayer[M any](s *System[M], from io.Reader, c Codec[M], spec func(name string) (Spec[M], error)) (*Player[M], error) {
	given("NewPlayer", s != nil, "the system that replays")
	given("NewPlayer", from != nil, "a reader of the journal")
	given("NewPlayer", c.Encode != nil && c.Decode != nil, "a Codec with Encode and Decode, such as JSON")
	p := &Player[M]{spec: spec, sys: s, in: newReader(from)}
	if err := s.keep(&journal[M]{codec: c, sink: p, player: p}); err != nil {
		return nil, err
	}
	p.advance()
	if p.ended == nil {
		p.line(s.journal.header(s.opts.Seed), nil)
	}
	return p, p.err()
}

// Play runs the system to the end of the journal: nil if it did what the journal says. The
// error is a *JournalError. If a handler leaves by runtime.Goexit, another goroutine calls Play again to go on.
func (p *Player[M]) Play() error {
	for p.ended == nil && p.diff == nil {
		before := p.in.number
		if err := p.act(&p.in.line); err != nil {
			p.ended = p.in.wrong(err)
		} else if p.in.number == before && p.diff == nil && p.ended == nil {
			p.diff = p.in.differs("")
		}
	}
	return p.err()
}

func (p *Player[M]) err() error {
	switch {
	case p.diff != nil:
		return p.diff
	case p.ended == io.EOF:
		return nil
	}
	return p.ended
}

func (p *Player[M]) advance() { p.ended = p.in.next() }

// line compares a line of the replay with that of the journal, and goes on to the next.
func (p *Player[M]) line(text []byte, err error) {
	switch {
	case p.diff != nil || p.ended != nil && p.ended != io.EOF:
	case err != nil:
		p.ended = p.in.wrong(err)
	case string(text) != string(p.in.text):
		p.diff = p.in.differs(string(text))
	default:
		p.advance()
	}
}

// act does what makes the system write the line that is next.
func (p *Player[M]) act(l *written) error {
	s := p.sys
	for s.outputs.len() > 0 {
		s.outputs.pop()
	}
	switch {
	case l.Turn != nil:
		if fiber.Time(*l.Turn) < p.at {
			return errBack
		}
		p.at = fiber.Time(*l.Turn)
		s.journal.turn(p.at)
		s.carryOut(0, true)
	case l.Do != "":
		s.carryOut(1, false)
	case l.In != "":
		return p.input(l)
	default:
		return errWhat
	}
	return nil
}

// input gives the system what came to it.
func (p *Player[M]) input(l *written) error {
	s := p.sys
	switch l.In {
	case "read", "lost", "ended":
		return p.ofFiber(l)
	}
	cx := &s.outside
	if l.From != Outside {
		a := s.actors.find(l.From)
		if a == nil {
			return errNotAlive
		}
		cx = a.cx
	}
	switch l.In {
	case "send":
		msg, err := s.journal.codec.Decode(l.Msg)
		if err != nil {
			return err
		}
		return cx.Send(l.To, msg)
	case "spawn":
		return p.spawn(cx, l.Name)
	case "kill":
		return cx.Kill(l.To, l.cause())
	case "fail":
		return cx.Fail(l.To, l.cause())
	case "watch":
		return cx.Watch(l.To, p.told)
	case "unwatch":
		cx.Unwatch(l.To)
	case "link":
		return cx.Link(l.To)
	default:
		return fmt.Errorf("%w: %q", errWhat, l.In)
	}
	return nil
}

func (p *Player[M]) spawn(cx *Context[M], name string) error {
	if p.spec == nil {
		return errNoSpec
	}
	spec, err := p.spec(name)
	if err == nil {
		spec.Name = name
		_, err = cx.Spawn(spec)
	}
	return err
}

// ofFiber is something that the fiber of an asynchronous actor did to its inbox, or its end.
func (p *Player[M]) ofFiber(l *written) error {
	s := p.sys
	a := s.actors.find(l.Actor)
	switch {
	case l.In == "lost":
		return p.discard(l)
	case a == nil || a.cx.inbox == nil:
		return errNoFiber
	case l.In == "read":
		s.noteReads(a.cx)
	case a.cx.over:
		return errNoFiber
	default:
		s.fiberEnded(a.cx, l.Failed, l.cause())
	}
	return nil
}

// reads is how many messages the actor's fiber had taken when the journal was written, which
// this system's has not.
func (p *Player[M]) reads(cx *Context[M]) int {
	l := &p.in.line
	if p.ended != nil || p.diff != nil || l.In != "read" || l.Actor != cx.self {
		return 0
	}
	n := 0
	for ; n < l.N; n++ {
		if _, status, _ := cx.inbox.TryRecv(); status != wait.Received {
			break
		}
	}
	return n
}

// unseen discards the messages that the actor's fibers had been assigned, and had not collected when
// the actor ended.
func (p *Player[M]) unseen(cx *Context[M]) {
	for l := &p.in.line; p.ended == nil && p.diff == nil && l.In == "unseen" && l.Actor == cx.self; {
		if err := p.discard(l); err != nil {
			p.ended = p.in.wrong(err)
		}
	}
}

// discard makes a dead letter of the message of the line.
func (p *Player[M]) discard(l *written) error {
	msg, err := p.sys.journal.codec.Decode(l.Msg)
	if err == nil {
		p.sys.discard(l.In, l.Actor, msg)
	}
	return err
}

// told replaces the function of a Watch whose code a replay does not run: it returns the message
// that the journal has. What that code did before the message comes first.
func (p *Player[M]) told(Death) (msg M) {
	p.meanwhile()
	if l := &p.in.line; p.ended == nil && l.In == "told" {
		var err error
		if msg, err = p.sys.journal.codec.Decode(l.Msg); err != nil {
			p.ended = p.in.wrong(err)
		}
	}
	return msg
}

// start replaces Spec.Start: it has the result that the journal has, and spawns no fiber.
func (p *Player[M]) start() error {
	p.meanwhile()
	if l := &p.in.line; p.ended == nil && l.In == "start" {
		return l.cause()
	}
	return nil
}

// meanwhile does what code that is not run again did within a turn; that may end in a panic.
func (p *Player[M]) meanwhile() {
	for p.ended == nil && p.diff == nil {
		l, before := &p.in.line, p.in.number
		switch l.In {
		case "panic":
			panic(l.cause())
		case "goexit":
			runtime.Goexit()
		case "send", "spawn", "kill", "fail", "watch", "unwatch", "link", "ended":
			if err := p.input(l); err != nil {
				p.ended = p.in.wrong(err)
			} else if before == p.in.number {
				return
			}
		default:
			return
		}
	}
}
