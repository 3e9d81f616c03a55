package proptest

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// shortcut is one call of the scheduler that stands for several actions of the model.
type shortcut struct {
	name string
	// means lists them; nothing where the call is not to be made.
	means func(c spec.Config, s *spec.State) []spec.Kind
	// call returns the ticket if the caller is told.
	call func(r *Rig, s *spec.State) fiber.Ticket
}

// shortcuts is the table.
func shortcuts() []shortcut {
	finish := func(o func(r *Rig, s *spec.State) fiber.Outcome) func(*Rig, *spec.State) fiber.Ticket {
		return func(r *Rig, s *spec.State) fiber.Ticket {
			r.Scheduler.Finish(o(r, s))
			return fiber.Ticket{}
		}
	}
	plain := func(kind fiber.OutcomeKind) func(*Rig, *spec.State) fiber.Outcome {
		return func(*Rig, *spec.State) fiber.Outcome { return fiber.Outcome{Kind: kind} }
	}
	return []shortcut{
		{"BlockForQueue", arming(spec.ArmQueue), func(r *Rig, _ *spec.State) fiber.Ticket {
			t, _ := r.Scheduler.BlockForQueue()
			return t
		}},
		{"BlockForIO", arming(spec.ArmIO), func(r *Rig, s *spec.State) fiber.Ticket {
			r.Scheduler.BlockForIO(r.heldToken(s))
			return fiber.Ticket{}
		}},
		{"Finish, blocking on a queue", unlessDoomed(arming(spec.ArmQueue)), finish(func(*Rig, *spec.State) fiber.Outcome {
			return fiber.BlockOn(fiber.OnQueue())
		})},
		{"Finish, blocking on a token", unlessDoomed(arming(spec.ArmIO)), finish(func(r *Rig, s *spec.State) fiber.Outcome {
			return fiber.BlockOn(fiber.OnIO(r.heldToken(s)))
		})},
		{"Finish, blocking in what is armed", unlessDoomed(only(spec.Block)), finish(plain(fiber.Block))},
		{"Finish, out of time", unlessDoomed(only(spec.Yield)), finish(plain(fiber.TimesliceExpired))},
		{"Finish, done", unlessDoomed(only(spec.Exit)), finish(plain(fiber.Done))},
	}
}

// only: where the model enables the action, it is meant.
func only(kind spec.Kind) func(spec.Config, *spec.State) []spec.Kind {
	return func(c spec.Config, s *spec.State) []spec.Kind {
		if c.Can(s, spec.Action{Kind: kind}) {
			return []spec.Kind{kind}
		}
		return nil
	}
}

func arming(kind spec.Kind) func(spec.Config, *spec.State) []spec.Kind {
	return func(c spec.Config, s *spec.State) []spec.Kind {
		if c.Can(s, spec.Action{Kind: kind}) {
			return []spec.Kind{kind, spec.Block}
		}
		return nil
	}
}

// unlessDoomed: a slice of a doomed fiber with nothing to unwind ends in its death, whatever
// its outcome (docs/design.md#transitions).
func unlessDoomed(otherwise func(spec.Config, *spec.State) []spec.Kind) func(spec.Config, *spec.State) []spec.Kind {
	return func(c spec.Config, s *spec.State) []spec.Kind {
		switch x := s.Current; {
		case x == spec.NoSlot || !s.Fibers[x].Doomed || !s.Frameless(x):
			return otherwise(c, s)
		case s.Contexts[x].Latch != spec.Unarmed:
			return []spec.Kind{spec.Disarm, spec.Exit}
		}
		return []spec.Kind{spec.Exit}
	}
}

func TestOneCallThatStandsForSeveralActionsDoesWhatTheyDo(t *testing.T) {
	for _, c := range []spec.Config{
		{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 2}, {Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1},
	} {
		t.Run(name(c), func(t *testing.T) {
			t.Parallel()
			g := explore(t, c, 25_000)
			for _, cut := range shortcuts() {
				taken := 0
				p := newPatrol(g, Host{})
				for i := range g.States {
					kinds := cut.means(c, &g.States[i])
					if kinds == nil {
						continue
					}
					taken++
					if err := p.take(i, cut, kinds); err != nil {
						t.Fatalf("%s in place of %v: %v", cut.name, kinds, &Failure{c, g.Path(i), err})
					}
				}
				t.Logf("%s: %d times", cut.name, taken)
				if taken == 0 {
					t.Errorf("%s is never taken", cut.name)
				}
			}
		})
	}
}

// take goes to state i and takes the shortcut from there. The ticket may be unknown
// afterwards, so this scheduler goes no further.
func (p *patrol) take(i int, cut shortcut, kinds []spec.Kind) error {
	if err := p.goTo(i); err != nil {
		return err
	}
	r, s := p.walk.Rig, p.graph.States[i]
	p.walk = nil
	ticket, err := r.shortcut(cut, &s)
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		from := s
		a := spec.Action{Kind: kind}
		to, answer := p.graph.Config.Do(from, a)
		if x := from.Exec(); kind == spec.ArmQueue || kind == spec.ArmIO {
			if ticket.IsZero() && r.Scheduler.Current() != 0 {
				ticket, _ = r.Scheduler.Claim()
			}
			r.names.ticket[x][newNumber(x, &from, &to)] = ticket
		}
		if k, ok := from.TokenOf(from.Current); ok && kind == spec.ArmIO && from.Tokens[k].State == spec.Done {
			if err := r.collect(from.Current, r.names.token[k], r.ledger.kept[k]); err != nil {
				return err
			}
		}
		r.ledger.book(r, &from, a, &to, answer)
		s = to
	}
	if err := r.Match(&s); err != nil {
		return fmt.Errorf("%w; the model is in %s", err, p.graph.Config.Key(&s))
	}
	return nil
}

func (r *Rig) shortcut(cut shortcut, s *spec.State) (t fiber.Ticket, err error) {
	defer caught(&err)
	return cut.call(r, s), nil
}
