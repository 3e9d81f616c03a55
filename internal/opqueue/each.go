package opqueue

import (
	"iter"

	"github.com/selvage-dev/selvage/fiber"
)

// Stage is how far an operation has come, for reports.
type Stage uint8

const (
	// Submitted: no fiber awaits it yet.
	Submitted Stage = iota
	// Awaited: its completion will wake a fiber or complete a cell.
	Awaited
	// Completed: its result is not collected yet.
	Completed
	// Abandoned: its completion will be dropped.
	Abandoned
)

// Entry is an operation that has not ended.
type Entry struct {
	Token fiber.Token
	Owner fiber.RegularID // 0 if it is abandoned
	Stage Stage
}

// All yields the operations that have not ended, in the order of their slots. It looks at all slots that
// were ever in use. It is valid until the next operation.
func (q *Queue) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for i := uint32(1); i <= q.slots.touched; i++ {
			s := q.slots.at(i)
			if s.phase == free || s.phase == retired {
				continue
			}
			if !yield(Entry{Token: s.name, Owner: s.owner, Stage: s.phase.stage()}) {
				return
			}
		}
	}
}

func (p phase) stage() Stage {
	switch p {
	case inFlight:
		return Submitted
	case awaited, attached:
		return Awaited
	case done, ready:
		return Completed
	}
	return Abandoned
}

// Stages is how many operations have come how far.
type Stages struct{ Submitted, Awaited, Completed, Abandoned int }

// Stages counts the operations that have not ended. It takes constant time.
func (q *Queue) Stages() Stages {
	s := Stages{Awaited: q.awaiting, Abandoned: q.orphans}
	s.Completed = q.slots.len - q.retired - q.Outstanding()
	s.Submitted = q.Outstanding() - s.Awaited - s.Abandoned
	return s
}
