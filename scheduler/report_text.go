package scheduler

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
)

// String is one line for each fiber and one for the cycle. Stuck fibers come in groups at
// the end, each under a headline.
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
	return b.String()
}

// DumpFibers is a text for people of what each fiber does and where in the program it is:
// the one that runs, those in the ready queue in their order, and the Report of those that
// are blocked.
func (f Inspect) DumpFibers() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d fibers, %d of them blocked\n", f.Live(), f.Blocked())
	if id, runs := f.core.Current().Regular(); runs {
		f.writeActive(&b, id)
	}
	for id := range f.Ready() {
		f.writeActive(&b, id)
	}
	b.WriteString(f.Report().String())
	return b.String()
}

// writeActive is one line about a fiber that is not blocked.
func (f Inspect) writeActive(b *strings.Builder, id fiber.RegularID) {
	active := BlockedFiber{ID: id.ID(), Name: f.Name(id.ID()), Site: f.core.siteOf(id.ID())}
	active.writeTitle(b)
	fmt.Fprintf(b, " is %v\n", f.State(id.ID()))
}

// names are those of all fibers that the report mentions.
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

// grouped are the fibers of all groups.
func (r *Report) grouped() map[fiber.ID]bool {
	grouped := map[fiber.ID]bool{}
	for i := range r.Stuck {
		for j := range r.Stuck[i].Fibers {
			grouped[r.Stuck[i].Fibers[j].ID] = true
		}
	}
	return grouped
}

// count is how many fibers the report has, without native calls.
func (r *Report) count() (n int) {
	for i := range r.Fibers {
		if !r.Fibers[i].ID.IsTrampoline() {
			n++
		}
	}
	return n
}

func (r *Report) writeHeadline(b *strings.Builder) {
	if n := r.count(); n > 1 {
		fmt.Fprintf(b, "partial deadlock: %d fibers can only be woken by each other\n", n)
		return
	}
	b.WriteString("partial deadlock: a fiber can only be woken by itself\n")
}

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

// writeTitle writes the ID, the name and the site.
func (f *BlockedFiber) writeTitle(b *strings.Builder) {
	fmt.Fprintf(b, "  %v", f.ID)
	if f.Name != "" {
		fmt.Fprintf(b, " %q", f.Name)
	}
	if f.Site != "" {
		fmt.Fprintf(b, " at %s", f.Site)
	}
}

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
		b.WriteString("for ever")
	default:
		fmt.Fprintf(b, "on %v", f.Reason)
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
