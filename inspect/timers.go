package inspect

import "github.com/selvage-dev/selvage/scheduler"

// Timers are the deadlines of a scheduler.
type Timers struct {
	On int `json:"on"` // how many there are
	// Next are those that come due next, in that order.
	Next []Timer `json:"next"`
}

// Timer is one deadline.
type Timer struct {
	Deadline int64 `json:"deadline"` // on the same clock as Report.Now
	// Kind is "wait", "grace", "alarm", "time limit" or "rate".
	Kind   string `json:"kind"`
	Fiber  string `json:"fiber,omitempty"`  // of a wait, or whose grace period ends
	Object string `json:"object,omitempty"` // that has set the alarm
	Group  *int   `json:"group,omitempty"`  // in Report.Groups: whose limit or rate it is
}

func (b *builder) addTimers(p Page) {
	r := &b.report.Timers
	r.Next = []Timer{}
	var next []scheduler.TimerState
	r.On, next = b.of.Timers(p.timers(), nil)
	for i := range next {
		t := &next[i]
		row := Timer{Deadline: int64(t.Deadline), Kind: t.Kind, Object: t.Name(), Group: b.group(t.Group)}
		if t.Fiber != 0 {
			row.Fiber = t.Fiber.String()
		}
		r.Next = append(r.Next, row)
	}
}
