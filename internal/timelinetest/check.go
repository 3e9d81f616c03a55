package timelinetest

import (
	"fmt"
	"slices"
)

// Timeline is what one scheduler does in a timeline that obeys the rules.
type Timeline struct {
	Name      string // of the scheduler; "" is the first
	Events    []Event
	processes map[int]string // their names
	titles    map[track]string
	lists     map[track][]Event // intervals
}

type track struct{ process, track int }

// Track is the number of the fiber whose title has the name; 0 if there is none.
func (t *Timeline) Track(title string) int {
	for at, name := range t.titles {
		if at.process == Fibers && name == title {
			return at.track
		}
	}
	return 0
}

// Ran are the slices on the track of the worker.
func (t *Timeline) Ran() []Event { return t.lists[track{Scheduler, 1}] }

// Titles are those of the fibers, in the order of their tracks.
func (t *Timeline) Titles() (titles []string) {
	for n := 1; t.titles[track{Fibers, n}] != ""; n++ {
		titles = append(titles, t.titles[track{Fibers, n}])
	}
	return titles
}

// Of are the intervals of a category on a track of a fiber.
func (t *Timeline) Of(number int, category string) (all []Event) {
	for _, e := range t.lists[track{Fibers, number}] {
		if e.Category == category {
			all = append(all, e)
		}
	}
	return all
}

func (t *Timeline) add(e Event) error {
	on := track{e.Process, e.Track}
	switch {
	case e.Phase == "M" && e.Name == "thread_name":
		if t.titles[on] != "" {
			return fmt.Errorf("the track has a second name")
		}
		t.titles[on] = e.Arg("name")
	case e.Phase == "M" && e.Name == "process_name":
		if t.processes[e.Process] != "" {
			return fmt.Errorf("the process has a second name")
		}
		t.processes[e.Process] = e.Arg("name")
	case e.Phase == "M":
		return nil
	case t.processes[e.Process] == "":
		return fmt.Errorf("the process has no name")
	case t.titles[on] == "":
		return fmt.Errorf("the track has no name")
	case !slices.Contains([]string{"X", "C", "i", "s", "f"}, e.Phase):
		return fmt.Errorf("unknown phase")
	case e.At < 0 || e.Took < 0:
		return fmt.Errorf("a negative time")
	case e.Phase == "X":
		if list := t.lists[on]; len(list) > 0 && list[len(list)-1].End() > e.At {
			return fmt.Errorf("it overlaps the one before, %+v", list[len(list)-1])
		}
		t.lists[on] = append(t.lists[on], e)
	}
	return nil
}

// checkArrows holds each arrow against its ends.
func (t *Timeline) checkArrows() error {
	starts, ends := map[int]Event{}, map[int]Event{}
	for _, e := range t.Events {
		of := map[string]map[int]Event{"s": starts, "f": ends}[e.Phase]
		if of == nil {
			continue
		}
		if _, twice := of[e.ID]; twice {
			return fmt.Errorf("arrow %d has two ends %s", e.ID, e.Phase)
		}
		of[e.ID] = e
	}
	for id, s := range starts {
		f, ends := ends[id]
		switch {
		case !ends || f.At < s.At || f.Binds != "e" || f.Name != s.Name || f.Category != s.Category || f.Track == s.Track || f.Process != Fibers || s.Process != Fibers:
			return fmt.Errorf("arrow %d goes from %+v to %+v", id, s, f)
		case !t.runs(s, func(x Event) bool { return x.At <= s.At && s.At <= x.End() }):
			return fmt.Errorf("arrow %+v begins in no slice", s)
		case !t.runs(f, func(x Event) bool { return x.At == f.At }):
			return fmt.Errorf("arrow %+v ends at no slice", f)
		}
	}
	if len(starts) != len(ends) {
		return fmt.Errorf("%d arrows begin, and %d end", len(starts), len(ends))
	}
	return nil
}

func (t *Timeline) runs(end Event, is func(Event) bool) bool {
	return slices.ContainsFunc(t.Of(end.Track, "slice"), is)
}
