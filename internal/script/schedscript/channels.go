package schedscript

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// object is what a dump lists with the tickets registered there.
type object interface {
	Describe() string
	Holds(fiber.Ticket) bool
}

// channel is a channel of words under its name.
type channel = wait.Chan[string]

// capacity reads an optional capacity; 0 if the script does not say.
func (a *args) capacity() int { return a.numberOr("a capacity", 0) }

func (w *world) cmdChan(name string, capacity int) {
	ch := wait.NewChan[string](capacity)
	ch.SetName(name)
	ch.OnLost(func(v string) { w.tell("lost: %s, from %s", script.Show(v), name) })
	w.named[name] = ch
	w.objects = append(w.objects, ch.Source().(object))
	w.answer("%s", ch.Source().(fiber.Described).Describe())
}

func (w *world) cmdSend(ch *channel, v string, r fiber.Reason) {
	p := w.waiter()
	if p == nil || w.trySend(ch, v) {
		return
	}
	end := func(t fiber.Ticket, r fiber.Result) string {
		switch {
		case r.Code == fiber.OK && t.ID != 0:
			return "ok: " + ch.Name() + " took " + script.Show(v)
		case r.Code == fiber.Closed && ch.Err() != nil:
			return "closed: " + w.names.In(ch.Err().Error())
		}
		return w.plain(t.ID, r)
	}
	w.suspend(p, r, func(t fiber.Ticket) error { return ch.ParkSend(t, v, 0) }, end, ch.Source())
}

// trySend sends without waiting; false if that would block.
func (w *world) trySend(ch *channel, v string) bool {
	ok, up, err := ch.TrySend(v)
	switch {
	case err != nil:
		w.deny(err)
		return true
	case ok:
		w.answer("%s took %s", ch.Name(), script.Show(v))
		w.wake(up)
	}
	return ok
}

func (w *world) cmdTrySend(ch *channel, v string) {
	if !w.trySend(ch, v) {
		w.answer("%s would block", ch.Name())
	}
}

func (w *world) cmdRecv(ch *channel, r fiber.Reason) {
	p := w.waiter()
	if p == nil || w.tryRecv(ch) {
		return
	}
	end := func(t fiber.Ticket, r fiber.Result) string {
		if v, ok := ch.Collect(t); ok && r.Code == fiber.OK {
			return "ok: " + ch.Name() + " gave " + script.Show(v)
		}
		return w.plain(t.ID, r)
	}
	w.suspend(p, r, func(t fiber.Ticket) error { return ch.ParkRecv(t, 0) }, end, ch.Source())
}

// tryRecv receives without waiting; false if that would block.
func (w *world) tryRecv(ch *channel) bool {
	v, status, up := ch.TryRecv()
	switch status {
	case wait.Empty:
		return false
	case wait.Received:
		w.answer("%s gave %s", ch.Name(), script.Show(v))
	case wait.Closed:
		w.answer("%s is closed and drained", ch.Name())
	}
	w.wake(up)
	return true
}

func (w *world) cmdTryRecv(ch *channel) {
	if !w.tryRecv(ch) {
		w.answer("%s would block", ch.Name())
	}
}

// closing is what a close command closes: a sender if there is one, else a channel.
type closing struct {
	name   string
	sender *scheduler.Sender
	ch     *channel
}

func (a *args) channelOrSender() closing {
	name := ""
	if a.more() {
		name = a.words[0]
	}
	if s, ok := peek[*scheduler.Sender](a); ok {
		return closing{name: name, sender: s}
	}
	return closing{name: name, ch: a.channel()}
}

func (w *world) cmdClose(c closing) {
	if c.sender != nil {
		c.sender.Close()
		w.answer("%s", c.name)
		return
	}
	ups, err := c.ch.Close(nil)
	w.wake(ups...)
	w.answerUnless(err, "%s", c.name)
}
