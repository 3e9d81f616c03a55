package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/scheduler"
)

// SetReport is the state of schedulers that work together. Each Part is of a moment of its own, because
// each scheduler has its own owner, which made that Part; Part.Transitions names the moment.
type SetReport struct {
	Version int    `json:"version"` // as Report.Version
	Parts   []Part `json:"parts"`
	Ports   []Port `json:"ports"`
	// Waits say which parts wait at which ports.
	Waits []PortWait `json:"waits"`
	// Left is how many islands, ports and waits an inspector has left out, because they are too many.
	Left int `json:"left,omitempty"`
}

// Part is one scheduler of a set.
type Part struct {
	Name        string `json:"name"`
	Transitions uint64 `json:"transitions"` // that it had made: the moment of which this part is
	Ready       int    `json:"ready"`       // fibers that run, or could
	Blocked     int    `json:"blocked"`
	MovedIn     uint64 `json:"moved_in"`  // fibers so far that came from others, such as those that a worker has stolen
	MovedOut    uint64 `json:"moved_out"` // and those that others got
	// Report is its fibers; nil if the part is missing, or fibers were not asked for.
	Report *Report `json:"report,omitempty"`
	// Missing is why the owner has not answered; then the other fields are 0.
	Missing string `json:"missing,omitempty"`
}

// Scheduler is one of a set that NewSetReport describes.
type Scheduler struct {
	Name string
	Core *scheduler.Core
	// Mine: the caller of NewSetReport owns it, so it is not asked through its Inbox.
	Mine bool
	// Ends, if not nil, returns the ends of ports that it has. Its owner calls it.
	Ends func() []End
}

// NewSetReport has the owner of each scheduler describe it, between two slices, and puts the answers together.
// A part whose owner has not answered when ctx ends is missing. The caller owns none of the schedulers
// but those that are Mine: it would wait for itself.
func NewSetReport(ctx context.Context, all []Scheduler, page Page) *SetReport {
	answers := make([]chan answer, len(all))
	for i := range all {
		answers[i] = make(chan answer, 1)
		all[i].ask(answers[i], page)
	}
	known := make([]answer, len(all))
	for i := range all {
		select {
		case known[i] = <-answers[i]:
		case <-ctx.Done():
			select { // both may be there
			case known[i] = <-answers[i]:
			default:
				known[i] = missing(all[i].Name, fmt.Sprintf("it has not answered: %v", context.Cause(ctx)))
			}
		}
	}
	return setReport(known)
}

// setReport puts the answers into one report.
func setReport(answers []answer) *SetReport {
	s := &setBuilder{report: &SetReport{Version: Version, Parts: []Part{}, Ports: []Port{}, Waits: []PortWait{}}, parts: map[string]int{}}
	var ends [][]End
	for i, a := range answers {
		s.parts[a.part.Name] = i
		s.report.Parts = append(s.report.Parts, a.part)
		ends = append(ends, a.ends)
	}
	s.addPorts(ends)
	return s.report
}

// Write writes the report as one line of JSON.
func (r *SetReport) Write(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// answer is what the owner of a scheduler says.
type answer struct {
	part Part
	ends []End
}

func missing(name, why string) answer { return answer{part: Part{Name: name, Missing: why}} }

// ask has the owner answer, if it goes on polling.
func (s Scheduler) ask(to chan answer, page Page) {
	if s.Mine {
		to <- s.look(true, page)
		return
	}
	if err := s.Core.Inbox().Do(func() { to <- s.look(true, page) }); err != nil {
		to <- missing(s.Name, err.Error())
	}
}

// look is the owner's.
func (s Scheduler) look(fibers bool, page Page) answer {
	of := s.Core.Inspect()
	n := of.Counts()
	a := answer{part: Part{
		Name: s.Name, Transitions: of.Transitions(), Ready: of.Live() - of.Blocked(), Blocked: of.Blocked(),
		MovedIn: n.MovedIn, MovedOut: n.MovedOut,
	}}
	if fibers {
		a.part.Report = NewReportPage(of, "running", page)
	}
	if s.Ends != nil {
		a.ends = s.Ends()
	}
	return a
}
