package actor_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/actor"
)

// Twenty thousand actors that watched the root, were linked to it and have ended, one
// after the other: nothing of them is left, or there would be 6 MB.
func TestWatchesAndLinksOfEndedActorsAreForgotten(t *testing.T) {
	st := newFixture(t, root(nothing), options{})
	st.outputs(nil)
	fleeting := spec{New: func(cx *me) actor.Handler[string] {
		cx.Watch(st.Input(), obituary)
		cx.Link(st.Input())
		return handler(nothing)
	}}
	round := func(n int) {
		for range n {
			h, err := st.Outside().Spawn(fleeting)
			if err != nil {
				t.Fatal(err)
			}
			st.Outside().Kill(h, nil)
			st.Turn()
		}
	}
	round(1000)
	st.trace = nil
	before := heap()
	round(20_000)
	st.trace = nil
	if grown := heap() - before; grown > 1<<18 {
		t.Errorf("%d bytes are left of them", grown)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func nothing(*me, string) {}

// Remaining watchers are notified, in the order in which they began to watch; one that has ended or
// taken its watch back in between is not missed by the others.
func TestThoseWhoStillWatchAreToldInTheOrderTheyBegan(t *testing.T) {
	tell := func(cx *me, msg string) { cx.Send(actor.Output, cx.Self().String()) }
	for _, gone := range [][]int{{0}, {4}, {2}, {0, 1}, {3, 4}, {1, 3}, {0, 2, 4}, {4, 3, 2, 1, 0}} {
		st := newFixture(t, root(nothing), options{})
		target, _ := st.Outside().Spawn(named("target", nothing))
		var watchers []actor.Handle
		for range 5 {
			h, _ := st.Outside().Spawn(spec{New: func(cx *me) actor.Handler[string] {
				cx.Watch(target, obituary)
				return handler(tell)
			}})
			watchers = append(watchers, h)
		}
		st.outputs(nil)
		left := append([]actor.Handle(nil), watchers...)
		for _, i := range gone {
			st.Outside().Kill(watchers[i], nil)
			left[i] = 0
		}
		st.Outside().Kill(target, nil)
		var want []string
		for _, h := range left {
			if h != 0 {
				want = append(want, h.String())
			}
		}
		st.outputs(nil, want...)
	}
}

func TestALinkToAnActorThatIsDownFailsTheCaller(t *testing.T) {
	st := supervised(t, actor.Supervision{Strategy: actor.OneForOne, Backoff: time.Second}, 1)
	st.outputs(nil)
	st.Dispatch("2 boom")
	for st.Turn() {
	}
	st.Outside().Spawn(named("late", func(cx *me, _ string) { cx.Link(2 | 1<<32) }))
	st.Outside().Send(3|1<<32, "link")
	for st.Turn() {
	}
	st.reports(`child ended: actor: a2.1 "child" failed: panic: boom`,
		`late ended: actor: a3.1 "late" failed: actor: a2.1 "child" failed: actor: the receiver is down until it is restarted`)
}
