package inspect

import (
	"fmt"
	"strings"
)

// Operations are the asynchronous operations of a scheduler that have not ended. The counts are of all.
type Operations struct {
	Submitted int `json:"submitted"` // and no fiber awaits it
	Awaited   int `json:"awaited"`
	Complete  int `json:"complete"`  // and the result is not collected
	Abandoned int `json:"abandoned"` // and the device has not completed it
	First     int `json:"first"`     // the index of the first one of List among all
	// List is a Page of them, in the order of their slots in the scheduler's table.
	List []Operation `json:"list"`
}

// Operation is one asynchronous operation.
type Operation struct {
	Token string `json:"token"`           // as the text report names it
	Fiber string `json:"fiber,omitempty"` // that has submitted it; none if it is abandoned
	// State is "submitted", "awaited", "complete" or "abandoned".
	State string `json:"state"`
	What  string `json:"what,omitempty"` // what it does, and to what
}

// Page bounds the lists of a Report that may be long. The zero Page has the first 100 timers and the first
// 1,000 operations.
type Page struct {
	Timers         int // how many of the next ones; 0 is 100, below 0 none
	Operations     int // how many; 0 is 1,000, below 0 none
	FirstOperation int // how many to leave out before
}

func (p Page) timers() int { return bound(p.Timers, 100) }

func bound(n, usual int) int {
	if n == 0 {
		return usual
	}
	return max(n, 0)
}

func (b *builder) addOperations(p Page) {
	all, r := b.of.Operations(nil), &b.report.Operations
	count := map[string]*int{"submitted": &r.Submitted, "awaited": &r.Awaited, "complete": &r.Complete, "abandoned": &r.Abandoned}
	for i := range all {
		*count[all[i].State]++
	}
	r.First = min(max(p.FirstOperation, 0), len(all))
	r.List = []Operation{}
	for _, o := range all[r.First:min(r.First+bound(p.Operations, 1000), len(all))] {
		row := Operation{Token: fmt.Sprint(uint64(o.Token)), State: o.State, What: strings.TrimSpace(o.What + " " + o.Of)}
		if o.Owner != 0 {
			row.Fiber = o.Owner.String()
		}
		r.List = append(r.List, row)
	}
}
