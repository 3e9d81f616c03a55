package fibers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/host/internal/race"
)

// RaceError is the end of a program at a data race (Config.Races).
type RaceError struct {
	// Text is the report: both accesses with their stacks, and where their fibers were created.
	Text string
}

// Error is the report.
func (r *RaceError) Error() string { return r.Text }

// DataRace marks the error for those that classify how a run has ended.
func (r *RaceError) DataRace() {}

// place is where a fiber is, and what it is about to access.
type place struct {
	name  string
	stack []string
}

// where is the place of the running fiber.
func (w *watcher) where() any {
	if t := w.env.state.Current(); t != nil {
		at := &place{stack: t.Lines()}
		if w.accessed != nil {
			at.name = w.env.state.NameOf(w.accessed)
		}
		return at
	}
	return &place{}
}

func (w *watcher) foundRace(found race.Race) { w.report(&RaceError{describeRace(found)}) }

// endProgram ends the program with a race.
func (w *watcher) endProgram(found *RaceError) {
	w.found = found
	w.env.killAll(found)
}

func describeRace(r race.Race) string {
	var b strings.Builder
	names := []string{nameIn(r.Second), nameIn(r.First)}
	names = slices.Compact(slices.DeleteFunc(names, func(s string) bool { return s == "" }))
	on := ""
	if len(names) > 0 {
		on = " on " + strings.Join(names, " and ")
	}
	fmt.Fprintf(&b, "data race%s: no lock, channel or join orders these accesses\n", on)
	writeAccess(&b, "", r.Second)
	writeAccess(&b, "earlier ", r.First)
	for _, t := range []*race.Thread{r.Second.Thread, r.First.Thread} {
		if at, ok := t.Created.(*place); ok {
			fmt.Fprintf(&b, "%s was created by %s at:\n", t.Name, t.Parent.Name)
			at.write(&b)
		}
	}
	return b.String()
}

func nameIn(a *race.Access) string { return a.Where.(*place).name }

func writeAccess(b *strings.Builder, when string, a *race.Access) {
	at, kind := a.Where.(*place), "read"
	if a.Kind == race.Write || a.Kind == race.AtomicWrite {
		kind = "write"
	}
	if at.name != "" {
		kind += " of " + at.name
	}
	fmt.Fprintf(b, "%s%s by %s:\n", when, kind, a.Thread.Name)
	at.write(b)
}

func (p *place) write(b *strings.Builder) {
	for _, line := range p.stack {
		fmt.Fprintf(b, "\t%s\n", line)
	}
}
