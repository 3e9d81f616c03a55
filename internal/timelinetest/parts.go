package timelinetest

import (
	"fmt"
	"slices"
	"strings"
)

// Check reads the timeline of one scheduler, and returns an error for the first rule that it breaks.
func Check(text string) (*Timeline, error) {
	parts, err := CheckParts(text)
	switch {
	case err != nil:
		return nil, err
	case len(parts) != 1:
		return nil, fmt.Errorf("the timeline has %d schedulers, want one", len(parts))
	}
	return parts[0], nil
}

// CheckParts is Check for a timeline of several schedulers: each has two processes, and no arrow has the number
// of another scheduler's. The scheduler without a name is the first, and the others follow in the order of their
// processes, which are Fibers and Scheduler in the result.
func CheckParts(text string) (parts []*Timeline, err error) {
	events, err := Parse(text)
	if err != nil {
		return nil, err
	}
	of := map[int][]Event{}
	arrows := map[int]int{} // the part of each
	for i, e := range events {
		if e.Process < 1 {
			return nil, fmt.Errorf("event %d, %+v: no process", i, e)
		}
		part := (e.Process - 1) / 2
		e.Process -= 2 * part
		of[part] = append(of[part], e)
		if e.ID == 0 {
			continue
		}
		if other, used := arrows[e.ID]; used && other != part {
			return nil, fmt.Errorf("event %d, %+v: the arrow is also one of part %d", i, e, other)
		}
		arrows[e.ID] = part
	}
	var numbers []int
	for n := range of {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		p, err := checkPart(of[n])
		switch {
		case err != nil:
			return nil, fmt.Errorf("part %d: %w", n, err)
		case (p.Name == "") != (n == 0):
			return nil, fmt.Errorf("part %d has the name %q", n, p.Name)
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// checkPart holds one scheduler against the rules.
func checkPart(events []Event) (*Timeline, error) {
	t := &Timeline{Events: events, titles: map[track]string{}, lists: map[track][]Event{}, processes: map[int]string{}}
	for i, e := range events {
		if err := t.add(e); err != nil {
			return nil, fmt.Errorf("event %d, %+v: %w", i, e, err)
		}
	}
	for _, check := range []func() error{t.checkNames, t.checkArrows, t.checkCounters} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// checkNames finds the name of the scheduler, which both processes have.
func (t *Timeline) checkNames() error {
	fibers, is := strings.CutPrefix(t.processes[Fibers], "fibers")
	owner, has := strings.CutPrefix(t.processes[Scheduler], "scheduler")
	name, named := strings.CutPrefix(fibers, " of ")
	if !is || !has || fibers != owner || named != (fibers != "") {
		return fmt.Errorf("the processes are called %q and %q", t.processes[Fibers], t.processes[Scheduler])
	}
	t.Name = name
	return nil
}
