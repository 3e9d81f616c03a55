package scheduler

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// describe formats a transition without its zero fields.
func describe(t Transition) string {
	said := t.Op.String()
	add := func(is bool, format string, value any) {
		if is {
			said += fmt.Sprintf(" "+format, value)
		}
	}
	add(t.ID != 0, "%v", t.ID)
	add(t.Seq != 0, "wait %d", t.Seq)
	add(t.Reason.Kind != 0, "on %v", t.Reason)
	add(t.Reason.External, "from outside%v", "")
	add(t.Token != 0, "token %d", t.Token)
	add(t.Grace != 0, "grace %d", t.Grace)
	add(t.Masks != 0, "masks %d", t.Masks)
	w := t.With
	add(w.Front || w.Frames || w.Nests || w.Movable, "with %v", fmt.Sprint(w.Front, w.Frames, w.Nests, w.Movable))
	add(t.Answer != "", "%q", t.Answer)
	return said
}

// observedCase is a sequence of calls, and the transitions that an observer receives.
type observedCase struct {
	name string
	cfg  Config
	do   func(g *testScheduler)
	want string
}

// observed runs the observedCase under an observer.
func (s *observedCase) observed(t *testing.T) (g *testScheduler, said string) {
	var lines []string
	cfg := s.cfg
	cfg.Observer = func(tr Transition) { lines = append(lines, describe(tr)) }
	g = newTestScheduler(t, cfg)
	s.run(g)
	return g, strings.Join(lines, "\n")
}

// run makes the calls, and polls so that the last transition is reported.
func (s *observedCase) run(g *testScheduler) {
	s.do(g)
	if g.Current() == 0 {
		g.Poll()
	}
}

func TestAnObserverSeesEveryTransitionWithAllItsFields(t *testing.T) {
	for _, s := range observedCases() {
		t.Run(s.name, func(t *testing.T) {
			_, said := s.observed(t)
			if want := strings.ReplaceAll(strings.TrimSpace(s.want), "\t", ""); said != want {
				t.Errorf("told\n%s\nnot\n%s", said, want)
			}
		})
	}
}

// address is that of an object, or a word of state, which stays.
var address = regexp.MustCompile(`(word )?0x[0-9a-f]+`)

// settled is the state but for where things are in memory, what is left of a deadline that
// is over, and which objects are kept at hand for the next wait: the short ways alone do that.
func (g *testScheduler) settled() string {
	for slot := range g.slots.used {
		h := g.slots.at(slot)
		g.reg.unkeep(h)
		if s := g.reg.ext(h); s != nil && !h.has(timed) {
			s.deadline = fiber.Never
		}
	}
	return address.ReplaceAllStringFunc(g.Inspect().Dump(), func(s string) string {
		if strings.HasPrefix(s, "word ") {
			return s
		}
		return "…"
	})
}

// Without an observer operations take their fast paths, with one their slow paths. Both
// reach the same state, to the last flag.
func TestFastAndSlowPathsReachTheSameState(t *testing.T) {
	for _, s := range observedCases() {
		t.Run(s.name, func(t *testing.T) {
			slow, _ := s.observed(t)
			fast := newTestScheduler(t, s.cfg)
			s.run(fast)
			if a, b := slow.settled(), fast.settled(); a != b {
				t.Errorf("the slow path reaches\n%s\nthe fast one\n%s", a, b)
			}
		})
	}
}
