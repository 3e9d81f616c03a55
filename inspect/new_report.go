package inspect

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// NewReport describes the present state of a scheduler, with the first Page of the timers and the
// operations. Only the owner of the scheduler may call it. It takes time and memory in proportion to
// the fibers, what they wait on, the holders of that, and the operations.
func NewReport(of scheduler.Inspect, verdict string) *Report {
	return NewReportPage(of, verdict, Page{})
}

// NewReportPage is NewReport with that Page of the timers and the operations.
func NewReportPage(of scheduler.Inspect, verdict string, page Page) *Report {
	b := builder{of: of, report: &Report{Version: Version, Verdict: verdict}, sites: map[string]int{}, groups: map[*scheduler.Group]int{}}
	b.snapshot = of.Snapshot(b.snapshot)
	b.report.Transitions, b.report.Now = b.snapshot.Transitions, int64(b.snapshot.Now)
	b.addObjects()
	b.addGroups()
	b.addTimers(page)
	b.addOperations(page)
	for i := range b.snapshot.Fibers {
		b.addFiber(i)
	}
	waits := of.Report()
	b.report.Cycle = ids(waits.Cycle)
	b.report.Stuck = [][]string{}
	for i := range waits.Stuck {
		var group []string
		for _, f := range waits.Stuck[i].Fibers {
			group = append(group, f.ID.String())
		}
		b.report.Stuck = append(b.report.Stuck, group)
	}
	return b.report
}

// builder makes a Report of a Snapshot.
type builder struct {
	of       scheduler.Inspect
	snapshot scheduler.Snapshot
	report   *Report
	sites    map[string]int           // by text: the index in Sites
	groups   map[*scheduler.Group]int // the index in Groups
}

func (b *builder) addObjects() {
	r := b.report
	r.Fibers, r.Objects, r.Edges, r.Sites = []Fiber{}, []Object{}, []Edge{}, []string{}
	for i := range b.snapshot.Sources {
		s := b.snapshot.Sources[i]
		r.Objects = append(r.Objects, Object{Name: s.Name(), Holders: ids(b.snapshot.Holders(s))})
	}
}

func (b *builder) addFiber(i int) {
	f := &b.snapshot.Fibers[i]
	row := Fiber{ID: f.ID.String(), Name: b.of.Name(f.ID), State: f.State.String(), External: f.External, Lent: f.Lent,
		Site: b.site(f.ID), Group: b.group(b.of.Group(f.ID))}
	if f.State == fiber.Blocked {
		row.Reason = f.Kind.String()
	}
	if f.Deadline != fiber.Never {
		row.Deadline = new(int64(f.Deadline))
	}
	b.report.Fibers = append(b.report.Fibers, row)
	if f.Calls {
		b.report.Edges = append(b.report.Edges, Edge{Fiber: row.ID, Call: b.snapshot.Fibers[i+1].ID.String()})
	}
	for _, at := range b.snapshot.On(*f) {
		b.report.Edges = append(b.report.Edges, Edge{Fiber: row.ID, Object: new(int(at))})
	}
}

func (b *builder) site(id fiber.ID) *int {
	text := b.of.Site(id)
	if text == "" {
		return nil
	}
	at, known := b.sites[text]
	if !known {
		at = len(b.report.Sites)
		b.sites[text] = at
		b.report.Sites = append(b.report.Sites, text)
	}
	return &at
}

func ids(of []fiber.ID) []string {
	all := make([]string, 0, len(of))
	for _, id := range of {
		all = append(all, id.String())
	}
	return all
}
