package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/wait"
)

// object is what a dump lists with the waits it holds.
type object interface {
	Describe() string
	Holds(fiber.Ticket) bool
}

// channel is a channel of words under its name.
type channel struct {
	*wait.Chan[string]
	name string
}

func cmdChan(w *world, a *args) {
	name, capacity := a.fresh("a channel"), 0
	if a.more() {
		capacity = a.number("a capacity")
	}
	if !a.done() {
		return
	}
	ch := &channel{Chan: wait.NewChan[string](capacity), name: name}
	ch.SetName(name)
	ch.OnLost(func(v string) { w.aside("lost: %s, from %s", transcript.Show(v), name) })
	w.names[name] = ch
	w.objects = append(w.objects, ch)
	w.say("chan: %s", ch.Source().(fiber.Described).Describe())
}
