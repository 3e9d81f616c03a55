package inspect

import (
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

// chunkTime is for how long the owner reads texts between two slices, at most.
const chunkTime = 500 * time.Microsecond

// text is one of the things about a fiber that a snapshot does not copy, because only the owner can
// read it and most of it is never looked at.
type text int

const (
	names text = iota
	sites
	objects // what is waited on, by its index in the snapshot
	textCount
)

// texts are those of a view that were read for all fibers, to be searched or sorted.
type texts [textCount][]string

func (t *texts) reset() {
	for i := range t {
		clear(t[i])
		t[i] = t[i][:0]
	}
}

// read asks the scheduler for one text. It is the owner's.
func (v *view) read(of scheduler.Inspect, what text, at int) string {
	switch what {
	case names:
		return of.Name(v.snapshot.Fibers[at].ID)
	case sites:
		return of.Site(v.snapshot.Fibers[at].ID)
	}
	return v.snapshot.Sources[at].Name()
}

func (v *view) count(what text) int {
	if what == objects {
		return len(v.snapshot.Sources)
	}
	return len(v.snapshot.Fibers)
}

// fill reads a text of all fibers, a part between each two polls of the program. The caller holds v.mu.
func (v *views) fill(c *view, what text) error {
	list := &c.texts[what]
	for len(*list) < c.count(what) {
		var cost time.Duration
		err := v.owner.do(func() {
			began := time.Now()
			for at := len(*list); at < c.count(what); at++ {
				*list = append(*list, c.read(v.of, what, at))
				if at%32 == 0 && time.Since(began) > chunkTime {
					break
				}
			}
			cost = time.Since(began)
		})
		if err != nil {
			return err
		}
		v.charge(c, cost)
	}
	return nil
}
