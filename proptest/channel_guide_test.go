package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/channel"
	"github.com/selvage-dev/selvage/wait"
)

// channelGuide performs the actions of spec/channel on real channels and selects, with a
// real scheduler around them.
type channelGuide struct {
	*stage
	channels []*wait.Chan[int]
	selects  []*wait.Select              // of each fiber; nil if it waits without one
	cases    [][2]wait.Case              // of that select
	payload  [64]int                     // the real value of each of the model's
	lost     []int                       // what the hook was given
	apply    func(...fiber.Wakeup) error // the stage's; a mutant replaces it
}

func newChannelGuide(c channel.Config) *channelGuide {
	g := &channelGuide{
		stage: newStage(c.Fibers), selects: make([]*wait.Select, c.Fibers), cases: make([][2]wait.Case, c.Fibers),
	}
	g.apply = g.stage.apply
	for i := range c.Channels {
		ch := wait.NewChan[int](c.Capacity[i])
		ch.OnLost(func(v int) { g.lost = append(g.lost, v) })
		g.channels = append(g.channels, ch)
	}
	return g
}

func (g *channelGuide) do(from *channel.State, a channel.Action, to *channel.State) (channel.Answer, error) {
	g.step++
	switch a.Kind {
	case channel.Spawn:
		return channel.NoAnswer, g.spawn(a.Fiber)
	case channel.Send:
		return g.send(from, a, to)
	case channel.Recv:
		return g.recv(from, a)
	case channel.Wait:
		return channel.NoAnswer, g.wait(a, to)
	case channel.Close:
		wakes, err := g.channels[a.Channel].Close(nil)
		return channel.NoAnswer, errors.Join(err, g.apply(wakes...))
	case channel.GiveUp:
		return channel.NoAnswer, g.giveUp(a.Fiber)
	case channel.Claim:
		return g.claimed(from, a.Fiber)
	}
	return g.killed(from, a.Fiber)
}

// send tries, by the plain call or as the one case of a select.
func (g *channelGuide) send(from *channel.State, a channel.Action, to *channel.State) (channel.Answer, error) {
	if err := g.mount(a.Fiber); err != nil {
		return 0, err
	}
	v, ch := 1000+g.step, g.channels[a.Channel]
	ok, w, err := g.trySend(ch, v)
	switch {
	case errors.Is(err, wait.ErrClosed):
		return channel.AnswerClosed, nil
	case err != nil:
		return 0, err
	case !ok:
		return channel.AnswerFull, nil
	}
	for id := range channel.Value(len(g.payload)) {
		if from.Places(id) == 0 && to.Places(id) > 0 {
			g.payload[id] = v
		}
	}
	if w.IsZero() {
		return channel.AnswerBuffered, nil
	}
	return channel.AnswerHanded, g.apply(w)
}

func (g *channelGuide) trySend(ch *wait.Chan[int], v int) (bool, fiber.Wakeup, error) {
	if g.odd() {
		return ch.TrySend(v)
	}
	c := wait.SendTo(ch, v)
	_, w, ok := wait.NewSelect(c).Poll(nil)
	return ok, w, c.Err()
}

func (g *channelGuide) recv(from *channel.State, a channel.Action) (channel.Answer, error) {
	if err := g.mount(a.Fiber); err != nil {
		return 0, err
	}
	v, status, w := g.tryRecv(g.channels[a.Channel])
	if err := g.apply(w); err != nil {
		return 0, err
	}
	switch status {
	case wait.Closed:
		return channel.AnswerClosed, nil
	case wait.Empty:
		return channel.AnswerEmpty, nil
	}
	ch := &from.Channels[a.Channel]
	if oldest := ch.Buffer.All(); len(oldest) > 0 {
		return channel.AnswerReceived, g.is(v, oldest[0])
	}
	if oldest := ch.Senders.All(); len(oldest) > 0 {
		return channel.AnswerReceived, g.is(v, oldest[0].Value)
	}
	return channel.AnswerReceived, nil
}

func (g *channelGuide) tryRecv(ch *wait.Chan[int]) (int, wait.Status, fiber.Wakeup) {
	if g.odd() {
		return ch.TryRecv()
	}
	c := wait.RecvFrom(ch)
	_, w, ok := wait.NewSelect(c).Poll(nil)
	v, received := c.Value()
	switch {
	case !ok:
		return 0, wait.Empty, w
	case !received:
		return 0, wait.Closed, w
	}
	return v, wait.Received, w
}

// is compares a value with the one that it should be.
func (g *channelGuide) is(v int, want channel.Value) error {
	if v != g.payload[want] {
		return fmt.Errorf("receives %d, want %d", v, g.payload[want])
	}
	return nil
}

// wait parks: one case by the plain call or by a select, two by a select.
func (g *channelGuide) wait(a channel.Action, to *channel.State) error {
	if err := g.mount(a.Fiber); err != nil {
		return err
	}
	for i := range to.Channels {
		for _, r := range to.Channels[i].Senders.All() {
			if r.Fiber == a.Fiber {
				g.payload[r.Value] = g.offer(r.Tag)
			}
		}
	}
	t, err := g.park(a)
	if err != nil {
		g.Disarm()
		return err
	}
	return g.block(a.Fiber, t)
}

// offer is what the case with the tag sends.
func (g *channelGuide) offer(tag uint8) int { return 1000*(2+int(tag)) + g.step }

func (g *channelGuide) park(a channel.Action) (fiber.Ticket, error) {
	g.selects[a.Fiber] = nil
	if k := a.Cases[0]; a.Cases[1] == channel.NoCase && g.odd() {
		ch := g.channels[k.Channel()]
		t := g.Arm(fiber.OnQueue(), ch)
		if k.Sends() {
			return t, ch.ParkSend(t, g.offer(0), 0)
		}
		return t, ch.ParkRecv(t, 0)
	}
	s := new(wait.Select)
	g.selects[a.Fiber], g.cases[a.Fiber] = s, [2]wait.Case{g.caseOf(a.Cases[0], 0), g.caseOf(a.Cases[1], 1)}
	s.Reset(g.cases[a.Fiber][:]...)
	t := g.Arm(fiber.OnQueue(), s.Sources(nil)...)
	return t, s.Park(t)
}

func (g *channelGuide) caseOf(k channel.Case, tag uint8) wait.Case {
	switch {
	case k == channel.NoCase:
		return nil
	case k.Sends():
		return wait.SendTo(g.channels[k.Channel()], g.offer(tag))
	}
	return wait.RecvFrom(g.channels[k.Channel()])
}

// claimed has the woken fiber collect, and says what it was told.
func (g *channelGuide) claimed(from *channel.State, f uint8) (channel.Answer, error) {
	res, err := g.claim(f)
	if err != nil {
		return 0, err
	}
	was := from.Fibers[f]
	k := was.Cases[was.Tag]
	if g.selects[f] != nil {
		return g.collectSelect(from, f, res)
	}
	ch := g.channels[k.Channel()]
	v, assigned := ch.Collect(g.fibers[f].ticket)
	switch {
	case assigned:
		return channel.AnswerReceived, g.is(v, from.Channels[k.Channel()].Given[f])
	case res.Code == fiber.OK && k.Sends():
		return channel.AnswerSent, nil
	case res.Code == fiber.Closed && errors.Is(ch.Err(), wait.ErrClosed):
		return channel.AnswerClosed, nil
	case res.Code == fiber.Cancelled, res.Code == fiber.Failed:
		return channel.AnswerQuit, nil
	}
	return 0, fmt.Errorf("f%d is told %v", f, res)
}

func (g *channelGuide) collectSelect(from *channel.State, f uint8, res fiber.Result) (channel.Answer, error) {
	i, ok := g.selects[f].Collect(g.fibers[f].ticket, res)
	if !ok {
		return channel.AnswerQuit, nil
	}
	if i != int(from.Fibers[f].Tag) {
		return 0, fmt.Errorf("f%d is told of case %d, want %d", f, i, from.Fibers[f].Tag)
	}
	switch c := g.cases[f][i].(type) {
	case *wait.Send[int]:
		if c.Err() == nil {
			return channel.AnswerSent, nil
		}
	case *wait.Receive[int]:
		if v, received := c.Value(); received {
			return channel.AnswerReceived, g.is(v, from.Channels[from.Fibers[f].Cases[i].Channel()].Given[f])
		}
	}
	return channel.AnswerClosed, nil
}

// killed: the hook is given what the dead fiber did not collect, and nothing else.
func (g *channelGuide) killed(from *channel.State, f uint8) (channel.Answer, error) {
	g.lost = g.lost[:0]
	if err := g.kill(f); err != nil || len(g.lost) == 0 {
		return channel.NoAnswer, err
	}
	for i := range g.channels {
		if v := from.Channels[i].Given[f]; v != channel.NoValue && len(g.lost) == 1 {
			return channel.AnswerLost, g.is(g.lost[0], v)
		}
	}
	return channel.AnswerLost, fmt.Errorf("the hook is given %v", g.lost)
}

// refuses: what a fiber cannot ask for now, because it does not run or lives already, is
// no call.
func (g *channelGuide) refuses(s *channel.State, a channel.Action) error {
	g.step++
	ready := s.Fibers[a.Fiber].Status == channel.Ready
	switch {
	case a.Kind == channel.Wait && ready:
		return wanted(g.wait(a, s), wait.ErrReady)
	case a.Kind == channel.Close:
		wakes, err := g.channels[a.Channel].Close(nil)
		return errors.Join(wanted(err, wait.ErrClosed), g.apply(wakes...))
	case a.Kind == channel.GiveUp:
		return g.tooLate(a.Fiber)
	case a.Kind == channel.Kill:
		return wanted(g.Kill(g.fibers[a.Fiber].id, nil), scheduler.ErrGone)
	}
	return nil
}

// match: of the order of values and waiters only the lengths are seen; the rest shows in
// what the next actions do.
func (g *channelGuide) match(m *channel.State) error {
	for f := range g.fibers {
		if err := g.stage.match(uint8(f), m.Fibers[f].Status == channel.Dead, m.Fibers[f].Status == channel.Waits); err != nil {
			return err
		}
	}
	for i, ch := range g.channels {
		want := &m.Channels[i]
		receivers, senders := ch.Waiting()
		if ch.Closed() != want.Closed || ch.Len() != len(want.Buffer.All()) ||
			receivers != len(want.Receivers.All()) || senders != len(want.Senders.All()) {
			return fmt.Errorf("c%d is %s, want %+v", i, ch.Describe(), want)
		}
	}
	g.Inspect().Verify()
	return nil
}
