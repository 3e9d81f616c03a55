package scheduler

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// roles are one fiber of either pool for every line of the state–location table.
var roles = []struct {
	name string
	of   func(s *auditFixture) *header
}{
	{"dead", deadOne}, {"ready", readyOne}, {"doomed", doomedOne}, {"woken", wokenOne},
	{"running", runningOne}, {"queue", plainOne}, {"dated", datedOne}, {"outer", outerOne}, {"timer", timerOne},
	{"io", func(s *auditFixture) *header { return s.at(s.io) }},
	{"parked", func(s *auditFixture) *header { return s.at(s.parked) }}, {"carried", func(s *auditFixture) *header { return s.at(s.carried) }},
	{"pinned", func(s *auditFixture) *header { return s.at(s.pinned) }}, {"buried", func(s *auditFixture) *header { return s.at(s.woke) }},
	{"t-parked-0", func(s *auditFixture) *header { return &s.calls[0].header }}, {"t-parked-1", func(s *auditFixture) *header { return &s.calls[1].header }},
	{"t-carried", func(s *auditFixture) *header { return &s.calls[2].header }},
	{"t-pinned-0", func(s *auditFixture) *header { return &s.calls[3].header }}, {"t-pinned-1", func(s *auditFixture) *header { return &s.calls[4].header }},
	{"t-buried", func(s *auditFixture) *header { return &s.calls[5].header }},
}

// productTable tells which rule finds that a fiber in a role has another state, or
// another kind of wait, written past the gate: - is what it has, and a dot is where the
// word means nothing, because the fiber does not wait by itself.
const productTable = `
	role        dead     runnable running  blocked  nothing  queue    io       timer
	dead        -        I5       I5       I5       -        I1       I1       I1
	ready       I1       -        I1       I1       -        .        .        .
	doomed      I1       -        I1       I1       -        .        .        .
	woken       I1       -        I1       I1       I12      -        I12      I12
	running     I12      I1       -        I2       -        .        .        .
	queue       I1       I1       I2       -        I10      -        I8       I10
	dated       I1       I1       I2       -        I10      -        I8       I10
	outer       I1       I1       I2       -        I10      -        I8       I10
	timer       I1       I1       I2       -        I10      I10      I8       -
	io          I1       I1       I2       -        I10      I10      -        I10
	parked      I1       I1       I2       -        -        .        .        .
	carried     I1       -        I1       I1       -        .        .        .
	pinned      I1       I1       -        I2       -        .        .        .
	buried      I1       I1       -        I2       -        .        .        .
	t-parked-0  I4       I4       I4       -        -        .        I8       .
	t-parked-1  I4       I4       I4       -        I10      -        I8       I10
	t-carried   I4       I4       -        I4       -        .        I8       .
	t-pinned-0  I4       I4       -        I4       -        .        I8       .
	t-pinned-1  I4       I4       I10      -        I10      -        I8       I10
	t-buried    I4       I4       -        I10      .        -        I8       .
`

func TestEveryStateAndKindInEveryRoleOfBothPoolsIsFoundWhereItDoesNotBelong(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(productTable), "\n")
	columns := strings.Fields(lines[0])[1:]
	if len(lines) != 1+len(roles) {
		t.Fatalf("%d rows for %d roles", len(lines)-1, len(roles))
	}
	for i, line := range lines[1:] {
		cells, role := strings.Fields(line), roles[i]
		if cells[0] != role.name || len(cells) != 1+len(columns) {
			t.Fatalf("row %d is %v, want one of %s", i, cells, role.name)
		}
		for j, want := range cells[1:] {
			t.Run(role.name+"/"+columns[j], func(t *testing.T) { misplace(t, role.of, columns[j], want) })
		}
	}
}

// misplaced is what stands in a header in place of what belongs there.
var misplaced = map[string]struct{ mask, is word }{
	"dead": {stateMask, dead}, "runnable": {stateMask, runnable}, "running": {stateMask, running}, "blocked": {stateMask, blocked},
	"nothing": {kindMask, 0}, "queue": {kindMask, word(fiber.Queue) << kindShift},
	"io": {kindMask, word(fiber.IO) << kindShift}, "timer": {kindMask, word(fiber.Timer) << kindShift},
}

func misplace(t *testing.T, role func(*auditFixture) *header, column, want string) {
	s := newAuditFixture(t)
	h, m := role(s), misplaced[column]
	if has := h.word&m.mask == m.is; has != (want == "-") {
		t.Fatalf("it is %s: %v", column, has)
	}
	h.word = h.word&^m.mask | m.is
	e := violation(s.Inspect().Verify)
	switch {
	case want == "-" || want == ".":
		if e != nil {
			t.Fatalf("found as %s: %v", e.Rule, e)
		}
		if want == "." && (h.waits() || h.has(owed)) {
			t.Fatal("it waits by itself, or is owed something")
		}
	case e == nil || e.Rule.String() != want:
		t.Fatalf("found as %v, want %s", e, want)
	default:
		s.refusesEverythingWith(e)
	}
}
