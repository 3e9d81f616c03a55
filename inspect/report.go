package inspect

import (
	"encoding/json"
	"io"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Version is that of the form of a Report. It grows when a field changes its meaning or goes away;
// fields may be added without that.
const Version = 1

// Report is the state of a scheduler at one moment between two operations. It is a copy, which
// encoding/json writes in the form of docs/inspect.md.
type Report struct {
	Version     int    `json:"version"`
	Verdict     string `json:"verdict"`         // how the run ended
	Status      int    `json:"status"`          // the exit status, of a command
	Error       string `json:"error,omitempty"` // why the run failed, as text
	Transitions uint64 `json:"transitions"`
	Now         int64  `json:"now"` // nanoseconds of the scheduler's clock
	// Fibers are in slot order, each followed by the native calls that it is in.
	Fibers  []Fiber  `json:"fibers"`
	Objects []Object `json:"objects"`
	// Edges lead from each blocked fiber to what it waits on.
	Edges []Edge `json:"edges"`
	// Sites are places in guest programs, each once.
	Sites []string `json:"sites"`
	// Cycle is one chain of fibers each of which waits for the next, the last for the first.
	Cycle []string `json:"cycle"`
	// Stuck are the groups of fibers that can only be woken by each other, while others can run.
	Stuck [][]string `json:"stuck"`
}

// Fiber is one fiber or native call.
type Fiber struct {
	ID       string `json:"id"`
	Name     string `json:"name,omitempty"`
	State    string `json:"state"`
	Reason   string `json:"reason,omitempty"`   // the kind of its wait, if it is blocked
	Deadline *int64 `json:"deadline,omitempty"` // of its wait, on the same clock as Now
	External bool   `json:"external,omitempty"` // the outside can end its wait
	Site     *int   `json:"site,omitempty"`     // in Sites
}

// Object is something that fibers wait on.
type Object struct {
	Name string `json:"name"`
	// Holders are the fibers that are known to be able to end the waits; none if any fiber might.
	Holders []string `json:"holders,omitempty"`
}

// Edge is one thing that a fiber waits on: an object, or the native call that it has made.
type Edge struct {
	Fiber  string `json:"fiber"`
	Object *int   `json:"object,omitempty"` // in Objects
	Call   string `json:"call,omitempty"`   // the ID of the call
}

// NewReport describes the present state of a scheduler. Only its owner may call it. It takes time and
// memory in proportion to the fibers, what they wait on, and the holders of that.
func NewReport(of scheduler.Inspect, verdict string) *Report {
	b := builder{of: of, report: &Report{Version: Version, Verdict: verdict}, sites: map[string]int{}}
	b.snapshot = of.Snapshot(b.snapshot)
	b.report.Transitions, b.report.Now = b.snapshot.Transitions, int64(b.snapshot.Now)
	b.addObjects()
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

// Write writes the report as one line of JSON.
func (r *Report) Write(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// builder makes a Report of a Snapshot.
type builder struct {
	of       scheduler.Inspect
	snapshot scheduler.Snapshot
	report   *Report
	sites    map[string]int // by text: the index in Sites
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
	row := Fiber{ID: f.ID.String(), Name: b.of.Name(f.ID), State: f.State.String(), External: f.External, Site: b.site(f.ID)}
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
