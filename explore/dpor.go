package explore

import (
	"slices"

	"github.com/selvage-dev/selvage/scheduler"
)

// dpor is a depth-first search that leaves out schedules which differ from others in the order of
// independent steps only: two steps are independent if they use no object in common. After each run it
// looks for pairs of dependent steps that could be made in the other order, and notes at the decision
// before the first of them which fiber is to run there as well (source sets). Sleep sets keep it from
// making independent steps in both orders.
type dpor struct {
	*steps
	nodes   []*node // the decisions on the path of the present run
	at      int     // how many of them this run has made
	changed int     // the decision in which this run differs from the one before
	begun   bool
	cut     int // the event at which the run has become one that was covered before; -1 if it has not
}

// node is one decision.
type node struct {
	fibers  []int // the options, by number; nil for a number
	options int
	chosen  int
	todo    []bool // by option: it is to be tried, or has been
	done    []bool
	sleep   map[int]footprint // fibers whose next step leads to nothing new
	event   int               // the event that follows; of a number, that under way
	known   int               // how many objects had been used before
	step    footprint         // of the step of the chosen fiber
}

// footprint is what the next step of a sleeping fiber uses. It was seen in another run with the same
// beginning, so only the objects that were used in that beginning are known by number.
type footprint struct {
	uses  []use
	known int
	fresh []use // of others, which it has not made: one for each kind
	all   bool
}

// DPOR is the strategy of a depth-first search that runs one schedule of those that differ only in the
// order of independent steps (dynamic partial order reduction): steps that use no waiting object in
// common, and no other object that their host declares (scheduler.Choices.Touch), or only read it. A search ends when
// all others were run, and says so. What the fibers share beside those objects is to be guarded by them:
// a program with a data race can have endings that are not found; Touch declares a variable.
// Steps of a host that declares nothing are never independent: then all schedules are run.
func DPOR() Strategy { return &dpor{steps: newSteps()} }

func (s *dpor) Complete() string { return "all schedules but for the order of independent steps" }

// follow is the recorder of what the steps of the runs do.
func (s *dpor) follow() *steps { return s.steps }

func (s *dpor) Begin() bool {
	if s.begun {
		s.learn()
		if !s.next() {
			return false
		}
	}
	s.begun = true
	s.at, s.cut = 0, -1
	s.steps.begin()
	return true
}

// next changes the last decision that has an option left.
func (s *dpor) next() bool {
	for len(s.nodes) > 0 {
		n := s.nodes[len(s.nodes)-1]
		n.leave()
		for i := range n.options {
			if n.todo[i] && !n.done[i] && !n.asleep(i) {
				n.chosen, n.step = i, footprint{}
				s.changed = len(s.nodes) - 1
				return true
			}
		}
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
	return false
}

// leave ends the search below the chosen option: its fiber sleeps from now on.
func (n *node) leave() {
	n.done[n.chosen] = true
	if n.fibers != nil {
		n.sleep[n.fibers[n.chosen]] = n.step
	}
}

func (n *node) asleep(option int) bool {
	if n.fibers == nil {
		return false
	}
	_, sleeps := n.sleep[n.fibers[option]]
	return sleeps
}

func (s *dpor) Choose(c scheduler.Choice) int {
	numbers := make([]int, len(c.Fibers))
	for i, id := range c.Fibers {
		numbers[i] = s.number(id)
	}
	if s.at == len(s.nodes) && !s.grow(c, numbers) {
		s.follows(-1, numbers, 0)
		return 0
	}
	n := s.nodes[s.at]
	n.event, n.known = len(s.events), len(s.objects)
	if n.fibers == nil {
		n.event = max(n.event-1, 0)
	}
	chosen := min(n.chosen, c.Options-1)
	s.follows(s.at, numbers, chosen)
	s.at++
	return chosen
}

func (s *dpor) follows(node int, numbers []int, chosen int) {
	if len(numbers) > 0 {
		s.decided(node, numbers[chosen], numbers)
	}
}

// grow adds the next decision to the path. It returns false if all that comes was covered before.
func (s *dpor) grow(c scheduler.Choice, numbers []int) bool {
	sleep := s.asleepNow()
	if s.cut >= 0 {
		return false
	}
	n := &node{options: c.Options, todo: make([]bool, c.Options), done: make([]bool, c.Options), sleep: sleep}
	if c.Kind != scheduler.ChooseNumber {
		n.fibers = numbers
		for n.chosen < c.Options && n.asleep(n.chosen) {
			n.chosen++
		}
		if n.chosen == c.Options {
			s.cut = len(s.events)
			return false
		}
	}
	n.todo[n.chosen] = true
	for i := range n.todo {
		n.todo[i] = n.todo[i] || n.fibers == nil
	}
	s.nodes = append(s.nodes, n)
	return true
}

// asleepNow is which fibers sleep after the events since the last decision: those whose next step is
// independent of all of them. A sleeping fiber that has run ends what is new in the run.
func (s *dpor) asleepNow() map[int]footprint {
	sleep := map[int]footprint{}
	if s.at == 0 {
		return sleep
	}
	n := s.nodes[s.at-1]
	for f, step := range n.sleep {
		sleep[f] = step
	}
	for i := n.event; i < len(s.events); i++ {
		e := &s.events[i]
		if _, sleeps := sleep[e.fiber]; sleeps && s.cut < 0 {
			s.cut = i
		}
		for f, step := range sleep {
			if step.dependsOn(e) {
				delete(sleep, f)
			}
		}
	}
	return sleep
}

func (p footprint) dependsOn(e *event) bool {
	if p.all || e.all || e.fiber == clock {
		return true
	}
	return slices.ContainsFunc(e.uses, func(u use) bool {
		if u.number >= p.known {
			return !u.created && slices.ContainsFunc(p.fresh, u.mayBe)
		}
		return slices.ContainsFunc(p.uses, u.dependsOn)
	})
}

// add adds what an event uses to the footprint of the step of a node.
func (n *node) add(e *event) {
	n.step.known = n.known
	n.step.all = n.step.all || e.all
	for _, u := range e.uses {
		if u.number >= n.known {
			if !u.created {
				n.step.fresh = merge(n.step.fresh, u, slices.IndexFunc(n.step.fresh, func(of use) bool { return of.kind == u.kind }))
			}
			continue
		}
		n.step.uses = merge(n.step.uses, u, slices.IndexFunc(n.step.uses, func(of use) bool { return of.number == u.number }))
	}
}
