package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/actor"
)

// counter adds what it is sent; "?" has it put out the sum. Anything else is its mistake, and
// its supervisor decides what follows.
type counter struct{ sum int }

func (c *counter) Handle(cx *actor.Context[string], msg string) {
	if msg == "?" {
		_ = cx.Send(actor.Output, fmt.Sprintf("the sum is %d", c.sum))
		return
	}
	n, err := strconv.Atoi(msg)
	if err != nil {
		panic(err)
	}
	c.sum += n
}

func newCounter(*actor.Context[string]) actor.Handler[string] { return &counter{} }

// obituary marks what the supervisor receives about deaths.
const obituary = "died: "

// boss is a supervisor with one counter, to which it hands everything on.
func boss() actor.Spec[string] {
	return actor.Spec[string]{
		Name:      "boss",
		Supervise: actor.Supervision{Strategy: actor.OneForOne, MaxRestarts: 2},
		New: func(cx *actor.Context[string]) actor.Handler[string] {
			h, err := cx.Spawn(actor.Spec[string]{Name: "counter", New: newCounter})
			if err != nil {
				panic(err) // fails the boss, whose end is that of the system
			}
			_ = cx.Watch(h, func(d actor.Death) string { return obituary + d.Cause.Error() })
			return actor.HandlerFunc[string](func(cx *actor.Context[string], msg string) {
				to := h
				if strings.HasPrefix(msg, obituary) {
					to = actor.Output
				}
				_ = cx.Send(to, msg)
			})
		},
	}
}
