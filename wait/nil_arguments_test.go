package wait_test

import (
	"math/rand/v2"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	ch := wait.NewChan[int](1)
	p := niltest.Probe{Good: []any{
		ch, wait.NewMutex(wait.HandOver), new(ioqueue.Cell), rand.New(rand.NewPCG(1, 1)),
		fiber.NewRegularID(1, 1).ID(), []wait.Case{wait.RecvFrom(ch)},
	}}
	for name, f := range map[string]any{
		"Deadline": wait.Deadline, "JoinOn": wait.JoinOn, "NewChan": wait.NewChan[int], "NewCond": wait.NewCond,
		"NewMutex": wait.NewMutex, "NewOnce": wait.NewOnce, "NewRWMutex": wait.NewRWMutex, "NewSelect": wait.NewSelect,
		"NewSemaphore": wait.NewSemaphore, "RecvFrom": wait.RecvFrom[int], "SendTo": wait.SendTo[int], "Seconds": wait.Seconds,
	} {
		p.Func(t, name, f)
	}
	for _, fresh := range []func() (any, func()){
		func() (any, func()) {
			c := wait.NewChan[int](1)
			return c, func() { _, _, _ = c.TrySend(1); _, _ = c.Close(nil) }
		},
		func() (any, func()) { return wait.NewCond(wait.NewMutex(wait.Poison)), nil },
		func() (any, func()) { return new(wait.Group), nil },
		func() (any, func()) {
			g := new(wait.Group)
			j, _ := wait.JoinOn(new(ioqueue.Cell), 0)
			g.Add(j)
			return g, func() { g.Try(); g.Sources(nil) }
		},
		func() (any, func()) { j, _ := wait.JoinOn(new(ioqueue.Cell), 0); return j, nil },
		func() (any, func()) { return wait.Join{}, nil },
		func() (any, func()) { return wait.NewMutex(wait.Poison), nil },
		func() (any, func()) { return wait.NewOnce(wait.Poison), nil },
		func() (any, func()) { return wait.NewRWMutex(wait.Poison), nil },
		func() (any, func()) { return wait.NewSemaphore(1), nil },
		func() (any, func()) { return new(wait.Timer), nil },
		func() (any, func()) { r := wait.RecvFrom(wait.NewChan[int](0)); return r, func() { poll(r) } },
		func() (any, func()) { s := wait.SendTo(wait.NewChan[int](0), 1); return s, func() { poll(s) } },
		func() (any, func()) {
			s := wait.NewSelect(wait.RecvFrom(wait.NewChan[int](0)))
			return s, func() { s.Poll(rand.New(rand.NewPCG(1, 1))); s.Sources(nil) }
		},
	} {
		p.Methods(t, fresh)
	}
}

// poll tries a case that may have been given a nil channel.
func poll(c wait.Case) {
	s := wait.NewSelect(c)
	s.Poll(rand.New(rand.NewPCG(1, 1)))
	_ = s.Park(fiber.Ticket{ID: fiber.NewRegularID(1, 1).ID(), Seq: 1})
}
