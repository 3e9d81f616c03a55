package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/move"
)

// moveGuide performs the actions of spec/move on two real schedulers, and carries what has
// moved out.
type moveGuide struct {
	bounds  move.Config
	at      [move.Schedulers]*scheduler.Scheduler[uint8]
	fibers  [move.MaxFibers]traveller
	tickets [move.Schedulers * move.MaxSlots]fiber.Ticket // the last of each slot of the model
	carry   func(*traveller, *scheduler.Scheduler[uint8]) error
	step    int
}

// traveller is what the guide knows of a fiber.
type traveller struct {
	home  *scheduler.Scheduler[uint8]
	name  fiber.RegularID // the last that it had at home
	id    fiber.RegularID // where it lives now, or lived last
	cell  *ioqueue.Cell
	ended int // how often its end was reported at home
	moved scheduler.Moved[uint8]
}

func newMoveGuide(c move.Config) *moveGuide {
	g := &moveGuide{bounds: c, carry: (*traveller).carried}
	for i := range g.at {
		g.at[i] = scheduler.New[uint8](scheduler.Config{Number: uint16(i + 1), MaxFibers: c.Slots, Clock: scheduler.NewVirtualClock()})
	}
	return g
}

func (g *moveGuide) do(from *move.State, a move.Action, to *move.State) (move.Answer, error) {
	g.step++
	p := &g.fibers[a.Fiber]
	switch a.Kind {
	case move.Spawn:
		return move.NoAnswer, g.spawn(a)
	case move.MoveIn:
		return move.NoAnswer, g.carry(p, g.at[a.At])
	case move.MoveOut:
		return move.NoAnswer, g.moveOut(from, a.Fiber)
	case move.Abandon:
		p.moved.Abandon(nil)
		return move.NoAnswer, nil
	case move.Join:
		return move.NoAnswer, p.joined()
	case move.Wake:
		g.where(from, a.Fiber).Wake(p.id.ID())
		return move.NoAnswer, nil
	case move.Kill:
		return move.NoAnswer, g.where(from, a.Fiber).Kill(p.id.ID(), nil)
	case move.Order:
		return g.order(p)
	case move.Deliver:
		return g.deliver(g.at[g.of(a.At)], g.tickets[a.At])
	case move.Stray:
		return g.deliver(g.at[1-g.of(a.At)], g.tickets[a.At])
	}
	return g.turn(from, a, to)
}

// where is the scheduler that a fiber lives in.
func (g *moveGuide) where(s *move.State, f uint8) *scheduler.Scheduler[uint8] {
	return g.at[g.bounds.Where(s, f)]
}

func (g *moveGuide) of(slot uint8) int { return int(slot) / g.bounds.Slots }

func (g *moveGuide) spawn(a move.Action) error {
	p := &traveller{home: g.at[a.At], cell: new(ioqueue.Cell)}
	o := scheduler.Options{Movable: true, Cell: p.cell, Ended: func(any, error) { g.fibers[a.Fiber].ended++ }}
	id, err := p.home.SpawnWith(a.Fiber, o)
	if err == nil {
		p.id, p.name = id, id
		g.fibers[a.Fiber] = *p
	}
	return err
}

// carried brings in a fiber that has moved out.
func (p *traveller) carried(to *scheduler.Scheduler[uint8]) error {
	id, err := to.Moves().MoveIn(p.moved)
	if err == nil {
		p.id = id
	}
	if err == nil && to == p.home {
		p.name = id
	}
	return err
}

// moveOut takes the fiber out by name, or, if it is the last of the queue, as a thief does.
func (g *moveGuide) moveOut(s *move.State, f uint8) error {
	p, at := &g.fibers[f], g.bounds.Where(s, f)
	if queue := s.Schedulers[at].Ready(); g.step%2 == 1 && queue[len(queue)-1] == f {
		out := g.at[at].Moves().MoveOutLast(1, nil)
		if len(out) != 1 || out[0].Data != f {
			return fmt.Errorf("of the queue %v the last that move are %+v", queue, out)
		}
		p.moved = out[0]
		return nil
	}
	var err error
	p.moved, err = g.at[at].Moves().MoveOut(p.id)
	return err
}

// joined has the fiber that runs at the fiber's home wait for its end.
func (p *traveller) joined() error {
	if err := p.cell.Park(p.home.Arm(fiber.OnQueue(), p.cell.Source()), 0); err != nil {
		return err
	}
	return parked(p.home)
}

func parked(s *scheduler.Scheduler[uint8]) error {
	if how := s.Block(); how != scheduler.Parked {
		return fmt.Errorf("it blocks: %v", how)
	}
	return nil
}

// order is one by the name that the fiber had at home.
func (g *moveGuide) order(p *traveller) (move.Answer, error) {
	orders := [...]func() error{
		func() error { return p.home.Kill(p.name.ID(), nil) },
		func() error { return p.home.Cancel(p.name.ID(), nil) },
		func() error { _, err := p.home.Moves().MoveOut(p.name); return err },
	}
	switch err := orders[g.step%len(orders)](); {
	case errors.Is(err, scheduler.ErrMovedOut):
		return move.AnswerMovedOut, nil
	case errors.Is(err, scheduler.ErrGone):
		return move.AnswerGone, nil
	default:
		return 0, fmt.Errorf("an order to who has moved out: %w", err)
	}
}

func (g *moveGuide) deliver(to *scheduler.Scheduler[uint8], t fiber.Ticket) (move.Answer, error) {
	switch d := to.Deliver(t, fiber.Result{Code: fiber.OK}); d {
	case fiber.Gone:
		return move.AnswerGone, nil
	case fiber.Stale:
		return move.AnswerStale, nil
	case fiber.Woken:
		return move.AnswerWoken, nil
	case fiber.WrongSource:
		return move.AnswerWrongSource, nil
	default:
		return 0, fmt.Errorf("the delivery is %v", d)
	}
}

// turn is what one scheduler does, or who runs in it.
func (g *moveGuide) turn(from *move.State, a move.Action, to *move.State) (move.Answer, error) {
	s := g.at[a.At]
	switch a.Kind {
	case move.Next:
		return move.NoAnswer, g.next(s, to.Schedulers[a.At].Current)
	case move.Yield:
		s.YieldCurrent()
	case move.Exit:
		_, _ = s.Exit(g.step, nil)
	case move.Wait:
		t := s.ArmForQueue()
		if who := from.Schedulers[a.At].Current; who != move.None {
			g.tickets[from.Fibers[who].At] = t
		}
		return move.NoAnswer, parked(s)
	case move.Idle:
		return g.verdict(s)
	}
	return move.NoAnswer, nil
}

// next is a turn of the loop. Who runs takes what its last wait brought.
func (g *moveGuide) next(s *scheduler.Scheduler[uint8], want uint8) error {
	s.Poll()
	f := s.ScheduleNext()
	switch {
	case f == nil && want != move.None:
		return fmt.Errorf("no fiber runs, not f%d", want)
	case f == nil:
		return nil
	case f.Data != want:
		return fmt.Errorf("f%d runs, not %d", f.Data, want)
	}
	s.Claim()
	return nil
}

func (g *moveGuide) verdict(s *scheduler.Scheduler[uint8]) (move.Answer, error) {
	switch v := s.Steps().IdleVerdictWithReport(); v.Kind {
	case scheduler.Busy:
		return move.AnswerBusy, nil
	case scheduler.Done:
		return move.AnswerDone, nil
	case scheduler.Waiting:
		return move.AnswerWaiting, nil
	case scheduler.Deadlock:
		return move.AnswerDeadlock, nil
	default:
		return 0, fmt.Errorf("the verdict is %v", v.Kind)
	}
}

// refuses: what no caller can ask for, because there is no such fiber or because it would be
// another one, is no call.
func (g *moveGuide) refuses(s *move.State, a move.Action) error {
	g.step++
	f, p := &s.Fibers[a.Fiber], &g.fibers[a.Fiber]
	lives := g.bounds.Where(s, a.Fiber) != move.None
	switch a.Kind {
	case move.Spawn:
		if f.Status == move.Gone {
			_, err := g.at[a.At].Spawn(a.Fiber)
			return wanted(err, scheduler.ErrTooManyFibers)
		}
	case move.MoveIn:
		if f.Status == move.Adrift {
			return wanted(p.carried(g.at[a.At]), scheduler.ErrTooManyFibers)
		}
	case move.MoveOut:
		return g.stays(s, a.Fiber, lives)
	case move.Wake:
		if lives {
			return g.breaks(func() { g.where(s, a.Fiber).Wake(p.id.ID()) })
		}
	case move.Kill:
		if f.Status == move.Gone && p.home != nil {
			return wanted(p.home.Kill(p.name.ID(), nil), scheduler.ErrGone)
		}
	case move.Deliver, move.Stray:
		return g.spent(s, a)
	case move.Next, move.Yield, move.Exit, move.Wait, move.Idle:
		return g.outOfTurn(s, a)
	}
	return nil
}

// stays: a fiber that is blocked or runs, or has not taken what it was told, stays; one that is not here
// cannot move.
func (g *moveGuide) stays(s *move.State, f uint8, lives bool) error {
	if !lives {
		return nil
	}
	_, err := g.where(s, f).Moves().MoveOut(g.fibers[f].id)
	return wanted(err, scheduler.ErrImmovable)
}

// spent: the last ticket of the slot finds no fiber.
func (g *moveGuide) spent(s *move.State, a move.Action) error {
	t := g.tickets[a.At]
	if t.IsZero() {
		return nil
	}
	to := g.at[g.of(a.At)]
	if a.Kind == move.Stray {
		to = g.at[1-g.of(a.At)]
	}
	got, err := g.deliver(to, t)
	if err == nil && (got == move.AnswerWoken || (got == move.AnswerWrongSource) != (a.Kind == move.Stray)) {
		err = fmt.Errorf("a ticket that is spent: %v", got)
	}
	return err
}

func (g *moveGuide) outOfTurn(s *move.State, a move.Action) error {
	at, model := g.at[a.At], &s.Schedulers[a.At]
	switch {
	case a.Kind == move.Next && model.Current == move.None:
		if at.Poll() || at.ScheduleNext() != nil {
			return errors.New("a fiber runs where none is ready")
		}
		return nil
	case a.Kind == move.Idle && model.Current == move.None:
		if got, err := g.verdict(at); err != nil || got != move.AnswerBusy {
			return fmt.Errorf("the verdict is %v, %w", got, err)
		}
		return nil
	case a.Kind == move.Wait && model.Current != move.None:
		return nil // a bound of the model
	}
	return g.breaks(func() { _, _ = g.turn(s, a, s) })
}

// breaks wants a contract error.
func (g *moveGuide) breaks(call func()) error {
	var refused *scheduler.ContractError
	err := func() (err error) {
		defer caught(&err)
		call()
		return nil
	}()
	if !errors.As(err, &refused) {
		return fmt.Errorf("%v, want a contract error", err)
	}
	return nil
}
