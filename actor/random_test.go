package actor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/scheduler"
)

// deed is what an act of a random program does.
type deed uint8

const (
	doSpawn deed = iota
	doSend
	doKill
	doPanic
)

// act is one step of a random program: what, and to which actor, by its number.
type act struct {
	op   deed
	whom int
}

// letter is a message of a random program: the nth act of its sender. Who gets it runs its
// own program, if there are hops left.
type letter struct{ from, nth, hops int }

func (l letter) String() string { return fmt.Sprintf("act %d of %d (%d)", l.nth, l.from, l.hops) }

// actorRun carries out with actors the program that the model carries out without.
type actorRun struct {
	*actor.System[letter]
	programs [][]act
	handles  []actor.Handle
	log      []string
}

func newActorRun(programs [][]act, limit, fuel int) *actorRun {
	tr := &actorRun{programs: programs}
	var err error
	tr.System, err = actor.New(scheduler.New[int](scheduler.Config{}), nil, tr.spec(0), actor.Options[letter]{
		MaxActors: limit, Fuel: fuel,
		DeadLetter: func(l actor.DeadLetter[letter]) { tr.log = append(tr.log, fmt.Sprintf("%v is dead", l.Msg)) },
		Ended:      func(d actor.Death) { tr.log = append(tr.log, d.Name+" ends") },
	})
	if err != nil {
		panic(err)
	}
	tr.handles = append(tr.handles, tr.Input())
	return tr
}

func (tr *actorRun) spec(n int) actor.Spec[letter] {
	return actor.Spec[letter]{Name: strconv.Itoa(n), New: actor.Stateless(func(cx *actor.Context[letter], l letter) {
		tr.log = append(tr.log, fmt.Sprintf("%d handles %v", n, l))
		if l.hops > 0 {
			tr.perform(cx, n, l.hops)
		}
	})}
}

func (tr *actorRun) perform(cx *actor.Context[letter], n, hops int) {
	for i, act := range tr.programs[n%len(tr.programs)] {
		to := actor.Handle(1 << 50)
		if whom := act.whom % (len(tr.handles) + 1); whom < len(tr.handles) {
			to = tr.handles[whom]
		}
		switch act.op {
		case doSpawn:
			if h, err := cx.Spawn(tr.spec(len(tr.handles))); err == nil {
				tr.handles = append(tr.handles, h)
			}
		case doSend:
			cx.Send(to, letter{n, i, hops - 1})
		case doKill:
			cx.Kill(to, nil)
		case doPanic:
			panic("as the program says")
		}
	}
}

// Whatever actors do, everything happens that happens to a list of commands carried out
// one by one, in the same order, each once; no dead actor handles anything; and at every
// turn no message is lost.
func TestRandomProgramsDoWhatTheModelDoes(t *testing.T) {
	happened := 0
	// How much a hundred programs do is luck; that is made up for by more of them.
	for rounds := 0; happened < 2000 && !t.Failed(); rounds++ {
		if rounds == 20 {
			t.Fatalf("only %d things happened", happened)
		}
		rapid.Check(t, func(t *rapid.T) { happened += doAsTheModelDoes(t) })
	}
}

// doAsTheModelDoes tries random programs, and counts what happened.
func doAsTheModelDoes(t *rapid.T) int {
	anAct := rapid.Custom(func(t *rapid.T) act {
		return act{rapid.SampledFrom([]deed{doSpawn, doSpawn, doSend, doSend, doSend, doSend, doSend, doKill, doPanic}).Draw(t, "op"),
			rapid.IntRange(0, 50).Draw(t, "whom")}
	})
	programs := rapid.SliceOfN(rapid.SliceOfN(anAct, 1, 4), 1, 6).Draw(t, "programs")
	limit := rapid.IntRange(1, 30).Draw(t, "limit")
	m := newModel(programs, limit)
	tr := newActorRun(programs, limit, rapid.IntRange(1, 10).Draw(t, "fuel"))
	for n := range rapid.IntRange(1, 12).Draw(t, "inputs") {
		l := letter{-1, n, rapid.IntRange(1, 6).Draw(t, "hops")}
		m.push(func() { m.handle(m.actors[0], l) })
		tr.Dispatch(l)
	}
	m.run()
	for more := true; more; {
		more = tr.Turn()
		if n := tr.Stats(); n.Sent != n.Delivered+n.Dead+n.Rejected+uint64(tr.Pending()) {
			t.Fatalf("messages were lost: %+v, %d pending", n, tr.Pending())
		}
	}
	if !slices.Equal(m.log, tr.log) || m.living() != tr.Live() {
		t.Fatalf("the model, %d alive:\n%q\nthe actors, %d alive:\n%q", m.living(), m.log, tr.Live(), tr.log)
	}
	if _, err := tr.Next(context.Background()); errors.Is(err, actor.ErrIdle) != (m.living() > 0) {
		t.Fatalf("%d are alive and the end is %v", m.living(), err)
	}
	return len(tr.log)
}
