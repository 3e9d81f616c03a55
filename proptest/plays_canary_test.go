package proptest

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec/channel"
	"github.com/selvage-dev/selvage/spec/move"
	"github.com/selvage-dev/selvage/spec/mutex"
	"github.com/selvage-dev/selvage/spec/panics"
	"github.com/selvage-dev/selvage/wait"
)

// brokenPlays have a mistake in their model: to it a right object is the broken one.
func brokenPlays() []drama {
	const people = most
	joins := [4]uint8{0, 1, 2, 1}
	panicking := func(b panics.Bug) drama {
		return panicPlay(panics.Config{Machines: 2, Frames: 2, Calls: 2, Panics: 2, Bug: b}, "alone", newBare)
	}
	return []drama{
		panicking(panics.RecoversLate), panicking(panics.LosesGeneration), panicking(panics.ForgetsParent),
		mutexPlay(mutex.Config{Fibers: people, Bug: mutex.ForgetsHeir}),
		mutexPlay(mutex.Config{Fibers: people, HandOn: true, Cond: true, Bug: mutex.PassesBroadcastOn}),
		channelPlay(channel.Config{Fibers: 3, Channels: 1, Capacity: [2]int{1}, Selects: true, Bug: 2}),
		movePlay(move.Config{Fibers: 3, Slots: 2, Bug: move.ForgetsReturn}), movePlay(move.Config{Fibers: 3, Slots: 2, Bug: move.MovesTold}),
		rwPlay(rwModel{people: people, bug: "serves the newest"}), rwPlay(rwModel{people: people, bug: "overtakes"}),
		rwPlay(rwModel{people: people, bug: "forgets who came behind"}),
		semPlay(semModel{people: people, size: 2, bug: "serves who wants least"}),
		semPlay(semModel{people: people, size: 2, bug: "overtakes"}),
		semPlay(semModel{people: people, size: 2, bug: "forgets who came behind"}),
		oncePlay(onceModel{people: people, bug: "forgets the runner"}),
		oncePlay(onceModel{people: people, handOn: true, bug: "wakes the next without the turn"}),
		condPlay(condModel{people: people, handOn: true, bug: "broadcasts to one"}),
		condPlay(condModel{people: people, handOn: true, bug: "loses the signal of the dead"}),
		condPlay(condModel{people: people, handOn: true, bug: "loses the signal of a quitter"}),
		timerPlay(timerModel{people: people, bug: "fires early"}), timerPlay(timerModel{people: people, bug: "wakes one"}),
		groupPlay(groupModel{goal: wait.Any, members: joins, bug: "is deaf to ends"}),
		groupPlay(groupModel{goal: wait.FirstError, members: joins, bug: "does not look who ended"}),
		ioPlay(ioModel{tokens: mostTokens, bug: "keeps what was abandoned"}),
		ioPlay(ioModel{tokens: mostTokens, bug: "takes from the cell"}),
		ioPlay(ioModel{tokens: mostTokens, bug: "unawait gives up"}),
		callPlay(callModel{fibers: 3, calls: 4, bug: "a call is not left"}),
	}
}

func TestEachGeneratorFindsEveryBrokenModelByItself(t *testing.T) {
	if !long.On(t) {
		return
	}
	set(t, "rapid.nofailfile", "true") // there is nothing to keep
	set(t, "rapid.shrinktime", "0s")
	if testing.Short() {
		set(t, "rapid.checks", "500") // of which rapid does a fifth then
	}
	for _, d := range brokenPlays() {
		t.Run(d.name(), func(t *testing.T) {
			foundOn(t, findsByGopter(d))
			if !findsByRapid(t, d) {
				t.Error("rapid does not find it")
			}
		})
	}
}

// atMost is how many seeds each may try, from 1: the same ones at every run.
const atMost = 20

func findsByGopter(d drama) (err error) {
	for seed := int64(1); seed <= atMost && err == nil; seed++ {
		_, err = d.byGopter(seed)
	}
	return err
}

func findsByRapid(t *testing.T, d drama) bool {
	w := &recordingT{name: t.Name()}
	for seed := 1; seed <= atMost && !w.failed; seed++ {
		set(t, "rapid.seed", fmt.Sprint(seed))
		w.watch(func() { d.byRapid(w) })
	}
	return w.failed
}
