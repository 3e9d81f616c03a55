package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// lock is a mutex under its name.
type lock struct {
	*wait.Mutex
	name string
}

func cmdMutex(w *world, a *args) {
	name, policy := a.fresh("a mutex"), wait.Poison
	if a.is("hand-on") {
		policy = wait.HandOver
	}
	if !a.done() {
		return
	}
	m := &lock{Mutex: wait.NewMutex(policy), name: name}
	m.SetName(name)
	w.names[name] = m
	w.objects = append(w.objects, m)
	w.say("mutex: %s", m.Source().(fiber.Described).Describe())
}
