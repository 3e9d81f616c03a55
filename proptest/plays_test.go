package proptest

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/spec/channel"
	"github.com/selvage-dev/selvage/spec/mutex"
	"github.com/selvage-dev/selvage/spec/panics"
	"github.com/selvage-dev/selvage/wait"
)

// channelPlay, mutexPlay and panicPlay are those whose models are in spec.
func channelPlay(c channel.Config) drama {
	return &play[channel.Config, channel.State, channel.Action, channel.Answer]{
		title: fmt.Sprintf("channels %+v", c), model: c,
		fresh: func() guide[channel.State, channel.Action, channel.Answer] { return newChannelGuide(c) },
	}
}

func mutexPlay(c mutex.Config) drama {
	return &play[mutex.Config, mutex.State, mutex.Action, mutex.Answer]{
		title: fmt.Sprintf("mutex %+v", c), model: c,
		fresh: func() guide[mutex.State, mutex.Action, mutex.Answer] { return newMutexGuide(c) },
	}
}

func panicPlay(c panics.Config, where string, at func() place) drama {
	return &play[panics.Config, panics.State, panics.Action, panics.Answer]{
		title: fmt.Sprintf("panics %s %+v", where, c), model: c,
		fresh: func() guide[panics.State, panics.Action, panics.Answer] { return newPanicGuide(at()) },
	}
}

func TestPanicsStayInStepByTwoGenerators(t *testing.T) {
	perform(t, panicPlay(deep, "alone", newBare))
	perform(t, panicPlay(deep, "scheduled", newScheduled))
}

func TestChannelsSelectsAndMutexesStayInStepByTwoGenerators(t *testing.T) {
	for _, d := range []drama{
		channelPlay(channel.Config{Fibers: 3, Channels: 2, Capacity: [2]int{0, 1}, Selects: true}),
		channelPlay(channel.Config{Fibers: 3, Channels: 2, Capacity: [2]int{2, 0}, Selects: true}),
		mutexPlay(mutex.Config{Fibers: 4}), mutexPlay(mutex.Config{Fibers: 4, HandOn: true}),
		mutexPlay(mutex.Config{Fibers: 4, Cond: true}), mutexPlay(mutex.Config{Fibers: 4, HandOn: true, Cond: true}),
	} {
		perform(t, d)
	}
}

// plays are those whose models are here.
func plays(people int) []drama {
	return []drama{
		groupPlay(groupModel{goal: wait.All, members: [4]uint8{0, 1, 2, 0}}), groupPlay(groupModel{goal: wait.FirstError, members: [4]uint8{0, 1, 2, 1}}),
		groupPlay(groupModel{goal: wait.Any, members: [4]uint8{2, 1, 0, 0}}), ioPlay(ioModel{tokens: people - 1}),
		callPlay(callModel{fibers: people - 1, calls: people}),
		condPlay(condModel{people: people}), condPlay(condModel{people: people, handOn: true}), timerPlay(timerModel{people: people}),
		semPlay(semModel{people: people, size: 2}), oncePlay(onceModel{people: people}), oncePlay(onceModel{people: people, handOn: true}),
		rwPlay(rwModel{people: people}), rwPlay(rwModel{people: people, handOn: true}),
	}
}

func TestWaitingObjectsFollowEveryEdgeAndRefuseEverythingElse(t *testing.T) {
	for _, d := range plays(3) {
		t.Run(d.name(), func(t *testing.T) {
			t.Parallel()
			summary, err := d.everywhere(everything, strideOf(t, 4))
			if err != nil {
				t.Fatal(err)
			}
			t.Log(summary)
		})
	}
}

func TestWaitingObjectsStayInStepByTwoGenerators(t *testing.T) {
	for _, d := range plays(most) {
		perform(t, d)
	}
}
