package stackful

import (
	"time"

	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/wait"
)

// program is what the property test runs: some fibers over a few channels and locks,
// and what happens to them from outside.
type program struct {
	seed     uint64
	grace    time.Duration
	caps     []int
	policies []wait.OwnerDeath // of the locks, and of the reader-writer lock and the once
	permits  int64
	actors   []script
	outside  []event
}

// script is one fiber's function.
type script struct {
	body    []op
	cleanup []op // in a deferred call
	// stubborn: goes on with its script when it is killed.
	stubborn bool
}

// event is a cancel or a kill by the owner between two slices.
type event struct {
	slice  int
	kill   bool
	victim int
}

type verb string

// op is one step of a script. What it needs of the fields depends on the verb.
type op struct {
	verb  verb
	obj   int           // channel, lock, cond or fiber; how many permits; which goal
	d     time.Duration // of a sleep; deadline of what can have one, none if negative
	cases []op          // of a select: send, recv, join, timer
}

// verbs, the frequent ones more often.
func verbs() []verb {
	return []verb{"send", "send", "send", "send", "recv", "recv", "recv", "recv", "select", "select",
		"try send", "try recv", "try select", "lock", "lock", "unlock", "sleep", "sleep", "yield",
		"checkpoint", "join", "join", "close", "cancel", "kill", "shield", "panic", "goexit",
		"write", "read", "read", "write unlock", "read unlock", "acquire", "acquire", "release",
		"wait", "wait", "signal", "broadcast", "do", "do", "group",
		"set timer", "set timer", "stop timer", "timer", "timer"}
}

const fewest, most = 2, 6 // fibers

func drawProgram(t *rapid.T) program {
	n := rapid.IntRange(fewest, most).Draw(t, "fibers")
	p := program{
		seed:     rapid.Uint64().Draw(t, "seed"),
		grace:    time.Duration(rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "grace")),
		caps:     rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 1, 3}), 2, 3).Draw(t, "channels"),
		policies: rapid.SliceOfN(rapid.SampledFrom([]wait.OwnerDeath{wait.Poison, wait.HandOver}), 2, 2).Draw(t, "locks"),
		permits:  rapid.Int64Range(1, 3).Draw(t, "permits"),
	}
	for range n {
		p.actors = append(p.actors, script{
			body:     rapid.SliceOfN(rapid.Custom(p.drawOp), 3, 16).Draw(t, "body"),
			cleanup:  rapid.SliceOfN(rapid.Custom(p.drawOp), 0, 3).Draw(t, "cleanup"),
			stubborn: rapid.Bool().Draw(t, "stubborn"),
		})
	}
	p.outside = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event {
		return event{rapid.IntRange(0, 40).Draw(t, "slice"), rapid.Bool().Draw(t, "kill"), rapid.IntRange(0, n-1).Draw(t, "victim")}
	}), 0, 3).Draw(t, "outside")
	return p
}

func (p *program) drawOp(t *rapid.T) op {
	o := op{
		verb: rapid.SampledFrom(verbs()).Draw(t, "verb"),
		d:    time.Duration(rapid.SampledFrom([]int{-1, -1, 0, 1, 2, 5}).Draw(t, "d")),
		obj:  rapid.IntRange(0, 59).Draw(t, "object"),
	}
	if o.verb == "select" || o.verb == "try select" {
		o.cases = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) op {
			return op{
				verb: rapid.SampledFrom([]verb{"send", "recv", "recv", "join", "timer"}).Draw(t, "case"),
				obj:  rapid.IntRange(0, 59).Draw(t, "object"),
			}
		}), 0, 3).Draw(t, "cases")
	}
	return o
}
