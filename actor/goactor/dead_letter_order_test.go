package goactor_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// leftovers is a system with one actor that ends, and what becomes of the messages to it.
type leftovers struct {
	*actor.System[string]
	rt          *stackful.Runtime
	reader      actor.Handle
	sibling     actor.Handle
	fiber       fiber.ID
	atFirst     func() error // is called when the first message is read
	read, dead  []string
	helperError []error
}

func newLeftovers(t *testing.T, end ending) *leftovers {
	l := &leftovers{rt: stackful.New(stackful.Config{}), atFirst: end.atFirst}
	t.Cleanup(l.rt.Close)
	root := spec{Name: "root", New: actor.Stateless(nothing), Supervise: end.supervise}
	var err error
	l.System, err = goactor.New(l.rt, root, actor.Options[string]{
		DeadLetter: func(d actor.DeadLetter[string]) { l.dead = append(l.dead, d.Msg) },
	})
	require.NoError(t, err)
	return l
}

// handle counts a message that was read.
func (l *leftovers) handle(msg string) error {
	l.read = append(l.read, msg)
	if l.atFirst == nil || len(l.read) > 1 {
		return nil
	}
	return l.atFirst()
}

// receive is the body of an actor that takes its messages in this way.
func (l *leftovers) receive(take func(*Fiber, *me) (string, error)) goactor.Func[string] {
	return func(f *Fiber, cx *me) error {
		l.fiber = f.ID()
		for {
			msg, err := take(f, cx)
			if err == nil {
				err = l.handle(msg)
			}
			if err != nil {
				return err
			}
		}
	}
}

var errReturn = errors.New("the actor returns")

// untilReturn is the body of an actor whose return is its end.
func untilReturn(fn goactor.Func[string]) goactor.Func[string] {
	return func(f *Fiber, cx *me) error {
		if err := fn(f, cx); !errors.Is(err, errReturn) {
			return err
		}
		return nil
	}
}

func fromSelect(f *Fiber, cx *me) (string, error) {
	message := wait.RecvFrom(cx.Inbox())
	if _, err := f.Select(wait.NewSelect(wait.RecvFrom(wait.NewChan[string](0)), message)); err != nil {
		return "", err
	}
	msg, ok := message.Value()
	if !ok {
		return "", cx.Inbox().Err()
	}
	return msg, nil
}

// withHelpers reads with two more fibers, which end when the inbox is closed.
func (l *leftovers) withHelpers(take func(*Fiber, *me) (string, error)) goactor.Func[string] {
	receive := l.receive(take)
	return func(f *Fiber, cx *me) error {
		for range 2 {
			if _, err := l.rt.Go("helper", func(f *Fiber) (any, error) {
				for {
					msg, err := take(f, cx)
					if err != nil {
						l.helperError = append(l.helperError, err)
						return nil, nil
					}
					l.read = append(l.read, msg)
				}
			}); err != nil {
				return err
			}
		}
		return receive(f, cx)
	}
}

// readers are the ways in which a message waits for its actor.
var readers = map[string]func(l *leftovers) spec{
	"handler": func(l *leftovers) spec {
		return spec{New: actor.Stateless(func(cx *me, msg string) {
			if err := l.handle(msg); err != nil {
				_ = cx.Kill(cx.Self(), nil)
			}
		})}
	},
	"no reader": func(l *leftovers) spec {
		return l.async(func(f *Fiber, cx *me) error {
			l.fiber = f.ID()
			if err := f.Sleep(time.Second); err != nil {
				return err
			}
			return l.receive(goactor.Recv)(f, cx)
		})
	},
	"one reader":           func(l *leftovers) spec { return l.async(l.receive(goactor.Recv)) },
	"reader in a select":   func(l *leftovers) spec { return l.async(l.receive(fromSelect)) },
	"three readers":        func(l *leftovers) spec { return l.async(l.withHelpers(goactor.Recv)) },
	"three in a select":    func(l *leftovers) spec { return l.async(l.withHelpers(fromSelect)) },
	"reader in a deadline": func(l *leftovers) spec { return l.async(l.receive(withDeadline)) },
}

// withDeadline returns at the deadline, because a failure would be restarted without end.
func withDeadline(f *Fiber, cx *me) (string, error) {
	msg, err := goactor.RecvUntil(f, cx, f.Within(time.Hour))
	if errors.Is(err, stackful.ErrTimeout) {
		err = errReturn
	}
	return msg, err
}

func (l *leftovers) async(fn goactor.Func[string]) spec {
	return spec{Start: goactor.Start(l.rt, untilReturn(fn))}
}

// ending is how the actor ends after three of its messages.
type ending struct {
	supervise actor.Supervision
	atFirst   func() error
	// give is called within the turn that delivers the messages; between, after it.
	give, between func(l *leftovers) error
	// allDead: an actor with a fiber has read nothing, so all four messages are dead letters.
	allDead bool
}

var errEnding = errors.New("ending")

var endings = map[string]ending{
	"kill":             {give: func(l *leftovers) error { return l.Outside().Kill(l.reader, nil) }, allDead: true},
	"kill of its root": {give: func(l *leftovers) error { return l.Outside().Kill(l.Input(), nil) }, allDead: true},
	"failure":          {give: func(l *leftovers) error { return l.Outside().Fail(l.reader, errEnding) }, allDead: true},
	"restart": {supervise: actor.Supervision{Strategy: actor.OneForOne},
		give: func(l *leftovers) error { return l.Outside().Fail(l.reader, errEnding) }},
	"restart after a back-off": {supervise: actor.Supervision{Strategy: actor.OneForOne, Backoff: time.Second},
		give: func(l *leftovers) error { return l.Outside().Fail(l.reader, errEnding) }, allDead: true},
	"restart with a sibling": {supervise: actor.Supervision{Strategy: actor.AllForOne},
		give: func(l *leftovers) error { return l.Outside().Fail(l.sibling, errEnding) }},
	"return": {atFirst: func() error { return errReturn }},
	"panic":  {atFirst: func() error { panic(errEnding) }},
	"kill of its fiber": {between: func(l *leftovers) error {
		return l.rt.Scheduler().Kill(l.fiber, errEnding)
	}},
	"cancel of its fiber": {between: func(l *leftovers) error {
		return l.rt.Scheduler().Cancel(l.fiber, errEnding)
	}},
}

// drain runs the system until it is idle or has ended.
func (l *leftovers) drain(t *testing.T) {
	t.Helper()
	for _, err := range l.All(t.Context()) {
		var death *actor.DeathError
		if err != nil && !errors.Is(err, actor.ErrIdle) && !errors.As(err, &death) {
			t.Fatal(err)
		}
	}
}

// play has the actor wait, sends it three messages, ends it, and sends a fourth.
func (l *leftovers) play(t *testing.T, reader spec, end ending) {
	var err error
	reader.Name = "reader"
	l.reader, err = l.Outside().Spawn(reader)
	require.NoError(t, err)
	l.sibling, err = l.Outside().Spawn(spec{Name: "sibling", New: actor.Stateless(nothing)})
	require.NoError(t, err)
	if reader.Start == nil {
		l.drain(t)
	} else {
		l.Turn()
		for range 3 { // the fibers start, and wait
			_ = l.runFibers(t)
		}
	}
	for _, msg := range []string{"a", "b", "c"} {
		require.NoError(t, l.Outside().Send(l.reader, msg))
	}
	if end.give != nil {
		require.NoError(t, end.give(l))
	}
	if end.between != nil {
		l.Turn()
		require.NoError(t, end.between(l))
	}
	require.NoError(t, l.Outside().Send(l.reader, "d"))
	l.drain(t)
}

// runFibers runs each ready fiber once.
func (l *leftovers) runFibers(t *testing.T) bool {
	t.Helper()
	sched := l.rt.Scheduler()
	more := sched.Poll()
	for f := sched.ScheduleNext(); f != nil; f = sched.ScheduleNext() {
		for sched.Finish(l.rt.Resume(sched, f)) {
		}
	}
	return more
}

// Whatever the reader does and however the actor ends, its unread messages become dead letters in
// the order in which they were sent, each message is read or a dead letter, and a replay gives the
// same dead letters in the same order.
func TestDeadLettersOfOneInboxComeOldestFirst(t *testing.T) {
	for way, reader := range readers {
		for how, end := range endings {
			if way == "handler" && end.between != nil {
				continue // it has no fiber
			}
			t.Run(way+"/"+how, func(t *testing.T) {
				l := newLeftovers(t, end)
				var journal bytes.Buffer
				r, err := actor.Record(l.System, &journal, actor.JSON[string]())
				require.NoError(t, err)
				l.play(t, reader(l), end)
				require.NoError(t, r.Close())

				require.True(t, slices.IsSorted(l.dead), "dead letters %q, read %q", l.dead, l.read)
				all := slices.Sorted(slices.Values(slices.Concat(l.read, l.dead)))
				require.Equal(t, []string{"a", "b", "c", "d"}, all)
				if end.allDead && way != "handler" {
					require.Equal(t, all, l.dead)
				}
				for _, err := range l.helperError {
					require.ErrorIs(t, err, wait.ErrClosed)
				}

				again := newLeftovers(t, end)
				p, err := actor.NewPlayer(again.System, bytes.NewReader(journal.Bytes()), actor.JSON[string](), func(name string) (spec, error) {
					if name == "sibling" {
						return spec{New: actor.Stateless(nothing)}, nil
					}
					return reader(again), nil
				})
				require.NoError(t, err)
				require.NoError(t, p.Play(), journal.String())
				require.Equal(t, l.dead, again.dead)
			})
		}
	}
}
