package scheduler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
)

// String is one line for each fiber and one for the cycle. Stuck fibers come in groups at the
// end, each under a headline. A wait that no source holds is named as such, with what finds the
// mistake. The text is for people: its form may change, and its order is
// the slot order, so equal states give equal texts.
func (r *Report) String() string {
	var b strings.Builder
	names, grouped := r.names(), r.grouped()
	for i := range r.Fibers {
		if !grouped[r.Fibers[i].ID] {
			r.Fibers[i].write(&b, names)
		}
	}
	for i := range r.Stuck {
		g := &r.Stuck[i]
		g.writeHeadline(&b)
		for i := range g.Fibers {
			g.Fibers[i].write(&b, names)
		}
		g.writeCycle(&b)
	}
	if len(r.Stuck) == 0 {
		r.writeCycle(&b)
	}
	if !invariants.On && slices.ContainsFunc(r.Fibers, func(f BlockedFiber) bool { return f.unheld }) {
		b.WriteString("the host may have forgotten to apply a wake-up or to park a wait; run with -tags invariants\n")
	}
	return b.String()
}

// DumpFibers is a text for people of what each fiber does and where in the program it is: the
// one that runs, those in the ready queue in their order, and the Report of those that are
// blocked. Lent fibers have no line: only the host knows where they are. It takes as long as
// a Report.
func (f Inspect) DumpFibers() string {
	var b strings.Builder
	if n := f.Live(); n == 1 {
		fmt.Fprintf(&b, "1 fiber, %d blocked\n", f.Blocked())
	} else {
		fmt.Fprintf(&b, "%d fibers, %d of them blocked\n", n, f.Blocked())
	}
	if id, runs := f.core.Current().Regular(); runs {
		f.writeActive(&b, id)
	}
	for id := range f.Ready() {
		f.writeActive(&b, id)
	}
	b.WriteString(f.Report().String())
	return b.String()
}

// writeActive is one line about a fiber that is not blocked: the same title as in a Report,
// so that a reader finds a fiber by one form.
func (f Inspect) writeActive(b *strings.Builder, id fiber.RegularID) {
	active := BlockedFiber{ID: id.ID(), Name: f.Name(id.ID()), Site: f.core.siteOf(id.ID())}
	active.writeTitle(b)
	fmt.Fprintf(b, " is %v\n", f.State(id.ID()))
}

// names are those of all fibers that the report mentions: the blocked ones, those of the
// groups, and holders that are not blocked. Lines name holders by them, because an ID alone
// tells a reader of a guest's program nothing.
func (r *Report) names() map[fiber.ID]string {
	names := map[fiber.ID]string{}
	for id, name := range r.awake {
		names[id] = name
	}
	for i := range r.Fibers {
		names[r.Fibers[i].ID] = r.Fibers[i].Name
	}
	for i := range r.Stuck {
		for id, name := range r.Stuck[i].names() {
			names[id] = name
		}
	}
	return names
}

// grouped are the fibers of all groups, which the list of the others leaves out.
func (r *Report) grouped() map[fiber.ID]bool {
	grouped := map[fiber.ID]bool{}
	for i := range r.Stuck {
		for j := range r.Stuck[i].Fibers {
			grouped[r.Stuck[i].Fibers[j].ID] = true
		}
	}
	return grouped
}

// count is how many fibers the report has. Native calls are lines of it, but no fibers.
func (r *Report) count() (n int) {
	for i := range r.Fibers {
		if !r.Fibers[i].ID.IsTrampoline() {
			n++
		}
	}
	return n
}

// writeHeadline begins a group. A group of one is, for example, a fiber that locks the same
// mutex twice.
func (r *Report) writeHeadline(b *strings.Builder) {
	if n := r.count(); n > 1 {
		fmt.Fprintf(b, "partial deadlock: %d fibers can only be woken by each other\n", n)
		return
	}
	b.WriteString("partial deadlock: a fiber can only be woken by itself\n")
}

// writeCycle ends with the first fiber again, so that the text shows where the cycle closes.
func (r *Report) writeCycle(b *strings.Builder) {
	if len(r.Cycle) == 0 {
		return
	}
	b.WriteString("cycle: ")
	for _, id := range r.Cycle {
		fmt.Fprintf(b, "%v → ", id)
	}
	fmt.Fprintf(b, "%v\n", r.Cycle[0])
}

// writeTitle writes the ID, the name and the site. Names and sites come from the host or the
// guest: a name is quoted, so that it cannot pass for another line.
func (f *BlockedFiber) writeTitle(b *strings.Builder) {
	fmt.Fprintf(b, "  %v", f.ID)
	if f.Name != "" {
		fmt.Fprintf(b, " %q", f.Name)
	}
	if f.Site != "" {
		fmt.Fprintf(b, " at %s", f.Site)
	}
}

// titleOf is a fiber as a report names it.
func (c *Core) titleOf(id fiber.ID) string {
	var b strings.Builder
	f := BlockedFiber{ID: id, Name: c.Inspect().Name(id), Site: c.siteOf(id)}
	f.writeTitle(&b)
	return strings.TrimSpace(b.String())
}

// sourceNames are the sources of a wait as a report names them.
func (c *Core) sourceNames(h *header) string {
	var names []string
	for _, src := range c.reg.sourcesOf(h) {
		if name := nameOf(src); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// write is one line: what the fiber waits for, and which fibers could end the wait. A source
// that names no holders can be served by any fiber; without a source, only the ticket or the
// ID wakes the fiber.
func (f *BlockedFiber) write(b *strings.Builder, names map[fiber.ID]string) {
	f.writeTitle(b)
	if f.Pinned {
		b.WriteString(" could go on, but lies under a pump\n")
		return
	}
	b.WriteString(" waits ")
	switch {
	case f.Callee != 0:
		fmt.Fprintf(b, "for its native call %v", f.Callee)
	case len(f.On) > 0:
		fmt.Fprintf(b, "on %s", strings.Join(f.On, ", "))
	case f.Reason == fiber.OnQueue():
		b.WriteString("on no object; no wake-up can come")
	default:
		fmt.Fprintf(b, "on %v", f.Reason)
	}
	if f.unheld {
		b.WriteString("; registered with no object: a wake-up was not applied, or Park was not called\n")
		return
	}
	for i, id := range f.Holders {
		sep := ", "
		if i == 0 {
			sep = "; could be woken by "
		}
		fmt.Fprintf(b, "%s%v", sep, id)
		if name := names[id]; name != "" {
			fmt.Fprintf(b, " %q", name)
		}
	}
	if f.Callee == 0 && len(f.On) > 0 && len(f.Holders) == 0 {
		b.WriteString("; could be woken by any peer")
	}
	b.WriteByte('\n')
}
