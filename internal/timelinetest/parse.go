package timelinetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// The processes of a timeline.
const (
	Fibers    = 1
	Scheduler = 2
)

// Event is one of a timeline.
type Event struct {
	Phase    string         `json:"ph"`
	Process  int            `json:"pid"`
	Track    int            `json:"tid"`
	At       Instant        `json:"ts"`
	Took     Instant        `json:"dur"`
	Name     string         `json:"name"`
	Category string         `json:"cat"`
	ID       int            `json:"id"`
	Scope    string         `json:"s"`
	Binds    string         `json:"bp"`
	Args     map[string]any `json:"args"`
}

// End is when an interval ends.
func (e Event) End() Instant { return e.At + e.Took }

// Arg is a text among the arguments.
func (e Event) Arg(name string) string {
	text, _ := e.Args[name].(string)
	return text
}

// Number is a number among the arguments; -1 if there is none.
func (e Event) Number(name string) int {
	if n, ok := e.Args[name].(float64); ok {
		return int(n)
	}
	return -1
}

// Instant is a time in the format's unit, which is the microsecond.
type Instant time.Duration

// UnmarshalJSON reads it.
func (i *Instant) UnmarshalJSON(text []byte) error {
	var us float64
	err := json.Unmarshal(text, &us)
	*i = Instant(math.Round(us * 1000))
	return err
}

// Parse reads a timeline that is complete.
func Parse(text string) ([]Event, error) {
	var all struct {
		Unit   string  `json:"displayTimeUnit"`
		Events []Event `json:"traceEvents"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	switch err := d.Decode(&all); {
	case err != nil:
		return nil, err
	case d.More():
		return nil, errors.New("there is something behind the timeline")
	case !strings.HasSuffix(text, "\n]}\n"):
		return nil, errors.New("the list of events is not last")
	case all.Unit != "ns":
		return nil, fmt.Errorf("the unit is %q", all.Unit)
	}
	return all.Events, nil
}
