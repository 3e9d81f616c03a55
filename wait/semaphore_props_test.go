package wait

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// pool drives a Semaphore beside the dumbest description of one: who holds how many, and
// a line of those who want some.
type pool struct {
	*crowd
	s    *Semaphore
	held []share // one for each time permits were given, in no order
	line []share
}

type share struct {
	id fiber.ID
	n  int64
	t  fiber.Ticket // zero once it runs
}

func (p *pool) free() int64 {
	n := p.s.Size()
	for _, h := range p.held {
		n -= h.n
	}
	return n
}

func (p *pool) has(id fiber.ID) (n int64) {
	for _, h := range p.held {
		if h.id == id {
			n += h.n
		}
	}
	return n
}

func (p *pool) advance() {
	for len(p.line) > 0 && p.line[0].n <= p.free() {
		p.held = append(p.held, p.line[0])
		p.expect(p.line[0].t, fiber.OK)
		p.line = p.line[1:]
	}
}

// number is any that a guest may ask for, sensible or not.
func (p *pool) number(t *rapid.T) int64 { return rapid.Int64Range(-1, p.s.Size()+1).Draw(t, "n") }

func (p *pool) Acquire(t *rapid.T) {
	id := p.runner(t)
	if id == 0 {
		return
	}
	want := share{id: id, n: p.number(t)}
	ok, err := p.s.TryAcquire(id, want.n)
	switch {
	case want.n < 1 || want.n > p.s.Size():
		refused(t, err, ErrPermits, 0)
	case err != nil || ok != (len(p.line) == 0 && want.n <= p.free()):
		t.Fatalf("%+v comes to %+v with %+v in line: %v %v", want, p.held, p.line, ok, err)
	case ok:
		p.held = append(p.held, want)
	default:
		want.t = p.parks(t, id, func(tk fiber.Ticket) error { return p.s.ParkAcquire(tk, id, want.n) }, p.s.Source())
		p.line = append(p.line, want)
	}
}

func (p *pool) Release(t *rapid.T) {
	id := p.runner(t)
	if id == 0 {
		return
	}
	n := p.number(t)
	wakes, err := p.s.Release(id, n, nil)
	switch {
	case n < 1:
		refused(t, err, ErrPermits, 0)
	case n > p.has(id):
		refused(t, err, ErrNotOwner, 0)
	case err != nil:
		t.Fatalf("%v cannot give back %d of %d: %v", id, n, p.has(id), err)
	default:
		p.deliver(wakes...)
		p.back(id, n)
		p.advance()
	}
}

func (p *pool) back(id fiber.ID, n int64) {
	rest := p.has(id) - n
	p.held = slices.DeleteFunc(p.held, func(h share) bool { return h.id == id })
	if rest > 0 {
		p.held = append(p.held, share{id: id, n: rest})
	}
}

func (p *pool) givesUp(tk fiber.Ticket) {
	p.line = slices.DeleteFunc(p.line, func(w share) bool { return w.t == tk })
	p.advance()
}

func (p *pool) dies(id fiber.ID) {
	p.line = slices.DeleteFunc(p.line, func(w share) bool { return w.id == id })
	p.back(id, p.has(id))
	p.advance()
}

func (p *pool) wakes(t *rapid.T, tk fiber.Ticket, code fiber.Code) {
	i := slices.IndexFunc(p.held, func(h share) bool { return h.t == tk })
	if n, ok := p.s.Collect(tk); i < 0 || !ok || code != fiber.OK || n != p.held[i].n {
		t.Fatalf("%v woke with %v and collected %d %v of %+v", tk, code, n, ok, p.held)
	}
	p.held[i].t = fiber.Ticket{}
}

func (p *pool) knows(tk fiber.Ticket) bool {
	_, ok := p.s.Collect(tk)
	return ok || p.s.Source().Holds(tk) || forfeits(p.s.Source().(fiber.Assigner), tk, p.s.Source().Withdraw(tk, nil))
}

func (p *pool) rest() error {
	if p.s.Source().(interface{ Waiting() int }).Waiting() > 0 || p.s.Free() != p.s.Size() || p.s.waiting.Assigned() > 0 || p.s.held.n > 0 {
		return fmt.Errorf("%v", p.s.Source().(fiber.Described).Describe())
	}
	return nil
}

// compare is everything there is to see, and the invariants listed on Semaphore.
func (p *pool) compare(t *rapid.T) {
	var line []fiber.Ticket
	var has []fiber.ID
	asleep := 0
	for _, w := range p.line {
		line = append(line, w.t)
	}
	for _, h := range p.held {
		has = append(has, h.id)
		if !h.t.IsZero() {
			asleep++
		}
	}
	slices.Sort(has)
	has = slices.Compact(has)
	s := p.s
	if !slices.Equal(queue(s.waiting.All()), line) || !slices.Equal(s.Source().(fiber.Described).Holders(nil), has) || s.waiting.Assigned() != asleep {
		t.Fatalf("%v: waiting %v, held by %v; want %v, %v", s.Source().(fiber.Described).Describe(), queue(s.waiting.All()), s.Source().(fiber.Described).Holders(nil), line, has)
	}
	for _, id := range has {
		if s.Held(id) != p.has(id) {
			t.Fatalf("%v holds %d, want %d", id, s.Held(id), p.has(id))
		}
	}
	if _, _, r, ok := s.waiting.Head(); s.Free() != p.free() || s.Free() < 0 || ok && r.n <= s.Free() {
		t.Fatalf("%v, want %d free", s.Source().(fiber.Described).Describe(), p.free())
	}
}

func TestAnyHistoryOfASemaphoreIsThatOfALineAtACounter(t *testing.T) {
	history(t, func(t *rapid.T) int {
		p := &pool{s: NewSemaphore(rapid.Int64Range(1, 6).Draw(t, "size"))}
		p.crowd = newCrowd(t, p, p.s.OwnerHook())
		return p.goOn(t, p.compare, map[string]func(*rapid.T){
			"acquire": p.Acquire, "acquire too": p.Acquire, "release": p.Release, "release too": p.Release,
		})
	})
}
