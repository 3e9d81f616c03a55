package vm

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
)

// Race is the end of a program at a data race.
type Race struct{ Text string }

// Error is the report: both accesses with their stacks, and where their goroutines were created.
func (r *Race) Error() string { return r.Text }

// DataRace marks the error for those that classify how a run has ended.
func (r *Race) DataRace() {}

func goroutineName(id fiber.ID) string {
	if number, ok := id.Regular(); ok {
		return fmt.Sprintf("goroutine %d", number.Index()+1)
	}
	return "goroutine"
}

// where is the stack of the running fiber.
func (w *watcher) where() any {
	id, ok := w.m.sched.Current().Regular()
	if !ok {
		return nil
	}
	f, _ := w.m.sched.Fiber(id)
	return w.m.trace(&f.Data)
}

// report ends the program with a race.
func (w *watcher) report(found race.Race) {
	r := &Race{describeRace(found)}
	if w.m.cfg.Found != nil {
		w.m.cfg.Found(r)
		return
	}
	w.found = true
	w.m.end(r)
}

func describeRace(r race.Race) string {
	var b bytes.Buffer
	names := []string{r.Second.What, r.First.What}
	names = slices.Compact(slices.DeleteFunc(names, func(s string) bool { return s == "" }))
	on := ""
	if len(names) > 0 {
		on = " on " + strings.Join(names, " and ")
	}
	fmt.Fprintf(&b, "data race%s: no lock, channel or wait group orders these accesses\n", on)
	writeAccess(&b, "", r.Second)
	writeAccess(&b, "earlier ", r.First)
	for _, t := range []*race.Thread{r.Second.Thread, r.First.Thread} {
		if t.Created != nil {
			fmt.Fprintf(&b, "%s was created by %s at:\n", t.Name, t.Parent.Name)
			writeTrace(&b, t.Created.([]place))
		}
	}
	return b.String()
}

func writeAccess(b *bytes.Buffer, when string, a *race.Access) {
	kind := [...]string{race.Read: "read", race.Write: "write", race.AtomicRead: "atomic read", race.AtomicWrite: "atomic write"}[a.Kind]
	if a.What != "" {
		kind += " of " + a.What
	}
	fmt.Fprintf(b, "%s%s by %s:\n", when, kind, a.Thread.Name)
	trace, _ := a.Where.([]place)
	writeTrace(b, trace)
}
