package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// maxOrders is how many lists of fibers a view remembers.
const maxOrders = 8

// order is which fibers a list has, and in which order. The zero order has all fibers by slot.
type order struct {
	search string // in lower case: in the ID, the name or the site
	state  string
	reason string
	by     string // a column
	down   bool
}

// columns are those by which a list can be sorted.
func columns() []string {
	return []string{"id", "name", "state", "reason", "waits", "deadline", "site"}
}

// needs are the texts of all fibers that an order looks at.
func (o order) needs() (all []text) {
	if o.search != "" {
		all = append(all, names, sites)
	}
	switch o.by {
	case "name":
		all = append(all, names)
	case "site":
		all = append(all, sites)
	case "waits":
		all = append(all, objects)
	}
	return all
}

// ordered are the indexes of the fibers of the view that an order has. The slice belongs to the view.
func (v *views) ordered(c *view, o order) ([]int32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if list, known := c.orders[o]; known {
		return list, nil
	}
	for _, what := range o.needs() {
		if err := v.fill(c, what); err != nil {
			return nil, err
		}
	}
	if len(c.orders) >= maxOrders || c.orders == nil {
		c.orders = map[order][]int32{}
	}
	list := c.sort(o, c.filter(o))
	c.orders[o] = list
	return list, nil
}

func (v *view) filter(o order) []int32 {
	list := make([]int32, 0, len(v.snapshot.Fibers))
	for at := range v.snapshot.Fibers {
		f := &v.snapshot.Fibers[at]
		if o.state != "" && o.state != f.State.String() || o.reason != "" && o.reason != reasonOf(*f) {
			continue
		}
		if o.search == "" || v.matches(o.search, at) {
			list = append(list, int32(at))
		}
	}
	return list
}

func (v *view) matches(search string, at int) bool {
	return strings.Contains(strings.ToLower(v.texts[names][at]), search) ||
		strings.Contains(strings.ToLower(v.texts[sites][at]), search) ||
		strings.HasPrefix(v.snapshot.Fibers[at].ID.String(), search)
}

// sort sorts a list that is in slot order. Equal fibers stay in that order, and those that have nothing in the
// column come last, whichever way the others go.
func (v *view) sort(o order, list []int32) []int32 {
	c := v.column(o.by)
	if c.compare == nil {
		if o.down {
			slices.Reverse(list)
		}
		return list
	}
	slices.SortStableFunc(list, func(a, b int32) int {
		switch x, y := c.empty(a), c.empty(b); {
		case x && y:
			return 0
		case x:
			return 1
		case y:
			return -1
		case o.down:
			return c.compare(b, a)
		}
		return c.compare(a, b)
	})
	return list
}

// column is how fibers are compared by one column.
type column struct {
	compare func(a, b int32) int // nil: by slot
	empty   func(at int32) bool
}

func (v *view) column(by string) column {
	fibers := v.snapshot.Fibers
	switch by {
	case "name":
		return textColumn(func(at int32) string { return v.texts[names][at] })
	case "site":
		return textColumn(func(at int32) string { return v.texts[sites][at] })
	case "waits":
		return textColumn(v.firstObject)
	case "reason":
		return textColumn(func(at int32) string { return reasonOf(fibers[at]) })
	case "state":
		return textColumn(func(at int32) string { return fibers[at].State.String() })
	case "deadline":
		return column{
			func(a, b int32) int { return cmp.Compare(fibers[a].Deadline, fibers[b].Deadline) },
			func(at int32) bool { return fibers[at].Deadline == fiber.Never },
		}
	}
	return column{}
}

func textColumn(of func(at int32) string) column {
	return column{
		func(a, b int32) int { return strings.Compare(of(a), of(b)) },
		func(at int32) bool { return of(at) == "" },
	}
}

// firstObject is the first thing that a fiber waits on, as text.
func (v *view) firstObject(at int32) string {
	if on := v.snapshot.On(v.snapshot.Fibers[at]); len(on) > 0 {
		return v.texts[objects][on[0]]
	}
	return ""
}

// reasonOf is the kind of a fiber's wait; empty if it is not blocked.
func reasonOf(f scheduler.FiberState) string {
	if f.State != fiber.Blocked {
		return ""
	}
	return f.Kind.String()
}
