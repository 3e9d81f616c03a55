package replay

import (
	"errors"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// movingRun has fibers that move, are lent, wait for outside and are spawned at the front.
var movingRun = []string{
	first,
	`{"op":"spawn","f":"f0.1","movable":true}`,
	`{"op":"spawn","f":"f1.1"}`,
	`{"op":"spawn","f":"f2.1","movable":true,"front":true}`,
	`{"op":"schedule","f":"f2.1"}`,
	`{"op":"lend","f":"f2.1","says":"lent"}`,
	`{"op":"move","f":"f0.1","says":"out"}`,
	`{"op":"move","f":"f0.2","masks":2,"says":"in"}`,
	`{"op":"schedule","f":"f1.1"}`,
	`{"op":"arm","f":"f1.1","wait":1,"on":"queue","external":true}`,
	`{"op":"block","f":"f1.1","says":"parked"}`,
	`{"op":"lend","f":"f2.1","says":"recalled"}`,
	`{"op":"exit","f":"f2.1"}`,
	`{"op":"schedule","f":"f0.2"}`,
	`{"op":"unmask","f":"f0.2"}`,
	`{"op":"unmask","f":"f0.2"}`,
	`{"op":"exit","f":"f0.2"}`,
}

func TestARunWhoseFibersMoveAndAreLentFollowsTheSpecification(t *testing.T) {
	report, err := Check(strings.NewReader(sealed(movingRun)))
	if err != nil || report.Fibers != 3 || report.Transitions != uint64(len(movingRun)-1) {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestWhatMovesOrIsLentAgainstTheRulesIsFound(t *testing.T) {
	for _, wrong := range []struct {
		after int // so many lines of the run
		line  string
		rule  fiber.Rule
	}{
		{4, `{"op":"move","f":"f1.1","says":"out"}`, i12}, // not movable
		{5, `{"op":"move","f":"f2.1","says":"out"}`, i12}, // it runs
		{6, `{"op":"move","f":"f2.1","says":"out"}`, i12}, // a worker has it
		{7, `{"op":"move","f":"f0.1","says":"out"}`, i12}, // it has left
		{4, `{"op":"move","f":"f7.1","says":"out"}`, i12},
		{4, `{"op":"move","f":"t0.1","says":"out"}`, i4},
		{4, `{"op":"move","f":"f0.1","masks":1,"says":"out"}`, i6},
		{4, `{"op":"move","f":"f0.1","says":"away"}`, i12},
		{7, `{"op":"move","f":"f0.1","says":"in"}`, i5}, // the name of an earlier life
		{7, `{"op":"move","f":"f9.1","says":"in"}`, i5},
		{7, `{"op":"move","f":"f1.2","says":"in"}`, i1}, // a fiber lives there
		{7, `{"op":"move","f":"t0.1","says":"in"}`, i4},
		{16, `{"op":"unmask","f":"f0.2"}`, i6},  // twice is all that it has brought
		{4, `{"op":"schedule","f":"f0.1"}`, i9}, // another was put in front of it
		{4, `{"op":"lend","f":"f2.1","says":"lent"}`, i2},
		{5, `{"op":"lend","f":"f1.1","says":"lent"}`, i2},
		{5, `{"op":"lend","f":"f2.1","says":"borrowed"}`, i2},
		{6, `{"op":"lend","f":"f1.1","says":"recalled"}`, i2},
		{6, `{"op":"lend","f":"t0.1","says":"recalled"}`, i4},
		{9, `{"op":"lend","f":"f2.1","says":"recalled"}`, i2}, // a fiber runs
		{10, `{"op":"lend","f":"f1.1","says":"lent"}`, i13},   // and has armed a wait
		{12, `{"op":"lend","f":"f2.1","says":"recalled"}`, i2},
	} {
		lines := append(movingRun[:wrong.after:wrong.after], wrong.line)
		_, err := Check(strings.NewReader(sealed(lines)))
		var found *Divergence
		if !errors.As(err, &found) || found.Rule != wrong.rule || found.Line != wrong.after+1 {
			t.Errorf("%s after %d lines: %v; want %s", wrong.line, wrong.after, err, wrong.rule)
		}
	}
}
