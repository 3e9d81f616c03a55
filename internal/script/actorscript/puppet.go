package actorscript

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// requestNames are what the outside and every puppet can ask the system for.
var requestNames = [...]string{"spawn", "send", "kill", "fail", "watch", "unwatch", "link"}

// request asks the system for something in the name of cx. The error is the library's.
func (w *world) request(cx *actor.Context[string], words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("%s whom?", words[0])
	}
	if words[0] == "spawn" {
		return w.spawn(cx, words[1], words[2:])
	}
	to, err := w.handle(words[1])
	if err != nil {
		return err
	}
	rest := strings.Join(words[2:], " ")
	switch words[0] {
	case "send":
		return cx.Send(to, rest)
	case "kill":
		return cx.Kill(to, cause(rest))
	case "fail":
		return cx.Fail(to, cause(rest))
	case "watch":
		return cx.Watch(to, func(d actor.Death) string { return w.inScript(fmt.Sprintf("%v is gone", d.Actor)) })
	case "unwatch":
		cx.Unwatch(to)
		return nil
	}
	return cx.Link(to)
}

func cause(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

func (w *world) spawn(cx *actor.Context[string], name string, words []string) error {
	if _, taken := w.named[name]; taken {
		return fmt.Errorf("%s is taken already; a name means one actor until the next new", name)
	}
	spec, err := w.spec(name, words)
	if err != nil {
		return err
	}
	h, err := cx.Spawn(spec)
	if err == nil {
		w.named[name], w.plans[name] = h, words
	}
	return err
}

// puppet does what its messages say; it ignores a message that it does not know.
func (w *world) puppet(*actor.Context[string]) actor.Handler[string] {
	return actor.HandlerFunc[string](func(cx *actor.Context[string], msg string) { w.perform(cx, nil, msg) })
}

// asyncPuppet is a puppet on a fiber of its own.
func (w *world) asyncPuppet() func(*actor.Context[string], scheduler.Options) (fiber.ID, error) {
	return goactor.Start(w.rt, func(f *stackful.Fiber, cx *actor.Context[string]) error {
		for {
			msg, err := goactor.Recv(f, cx)
			if err == nil {
				err = w.perform(cx, f, msg)
			}
			if err == errReturn {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
}

var errReturn = errors.New("return")

// perform carries out a message; f is nil if the puppet is synchronous. An error ends an
// asynchronous puppet.
func (w *world) perform(cx *actor.Context[string], f *stackful.Fiber, msg string) error {
	words, err := script.Split(msg)
	if err != nil || len(words) == 0 {
		return nil
	}
	rest := strings.Join(words[1:], " ")
	switch words[0] {
	case "out":
		return w.refused(cx.Send(actor.Output, rest))
	case "again":
		return w.refused(cx.Send(cx.Self(), msg))
	case "panic":
		panic(rest)
	}
	if f != nil {
		if err, done := w.onFiber(cx, f, words, rest); done {
			return err
		}
	}
	if slices.Contains(requestNames[:], words[0]) {
		return w.refused(w.request(cx, words))
	}
	return nil
}

// onFiber is what only a puppet with a fiber can do.
func (w *world) onFiber(cx *actor.Context[string], f *stackful.Fiber, words []string, rest string) (err error, done bool) {
	switch words[0] {
	case "return":
		return errReturn, true
	case "give-up":
		return errors.New(rest), true
	case "sleep":
		if d, err := time.ParseDuration(rest); err == nil {
			return f.Sleep(d), true
		}
	case "send":
		if len(words) > 1 {
			to, err := w.handle(words[1])
			if err == nil {
				err = goactor.Send(f, cx, to, strings.Join(words[2:], " "))
			}
			if errors.As(err, new(*stackful.Interrupt)) {
				return err, true
			}
			return w.refused(err), true
		}
	}
	return nil, false
}

// refused notes what the library refused; that does not end the puppet.
func (w *world) refused(err error) error {
	if err != nil {
		w.tell("refused: %v", err)
	}
	return nil
}
