package replay

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

const first = `{"trace":"selvage","version":2,"scheduler":0}`

// shortRun is the run of one fiber.
var shortRun = []string{
	first,
	`{"op":"spawn","f":"f0.1"}`,
	`{"op":"schedule","f":"f0.1"}`,
	`{"op":"arm","f":"f0.1","wait":1,"on":"queue"}`,
	`{"op":"block","f":"f0.1","says":"parked"}`,
	`{"op":"deliver","f":"f0.1","wait":1,"says":"woken"}`,
	`{"op":"schedule","f":"f0.1"}`,
	`{"op":"exit","f":"f0.1"}`,
}

func TestAWholeTraceThatFollowsTheSpecificationIsCounted(t *testing.T) {
	report, err := Check(strings.NewReader(sealed(shortRun)))
	if err != nil || report != (Report{Transitions: 7, Fibers: 1}) {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestADivergenceNamesTheLineTheRuleWhatWasAllowedAndWhatCameBefore(t *testing.T) {
	lines := append(shortRun[:5:5], `{"op":"schedule","f":"f0.1"}`)
	_, err := Check(strings.NewReader(sealed(lines)))
	want := `line 6: {"op":"schedule","f":"f0.1"}
breaks I1: the ready queue is empty
allowed there:
    spawn, move, deliver, complete, cancel and kill, with their answers; wake of a blocked fiber; resume of a held one
the lines before:
     1  {"trace":"selvage","version":2,"scheduler":0}
     2  {"op":"spawn","f":"f0.1"}
     3  {"op":"schedule","f":"f0.1"}
     4  {"op":"arm","f":"f0.1","wait":1,"on":"queue"}
     5  {"op":"block","f":"f0.1","says":"parked"}`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nnot\n%s", err, want)
	}
}

func TestWhatExecutesIsToldWhatItMayDo(t *testing.T) {
	lines := append(shortRun[:4:4], `{"op":"yield","f":"f0.1"}`)
	_, err := Check(strings.NewReader(sealed(lines)))
	var found *Divergence
	if !errors.As(err, &found) || found.Rule != i13 || found.Line != 5 {
		t.Fatal(err)
	}
	if allowed := found.Allowed[len(found.Allowed)-1]; allowed != "by f0.1, which executes: [disarm block submit mask interrupted]" {
		t.Error(allowed)
	}
}

// What has no model is said to have none, and is neither right nor wrong.
func TestWhatTheModelDoesNotCoverIsSaidSo(t *testing.T) {
	for _, lines := range [][]string{
		{first, `{"op":"abort-pump","f":"t0.1"}`},
		{first, `{"op":"spawn","f":"f0.1"}`, `{"op":"schedule","f":"f0.1"}`, `{"op":"arm","f":"f0.1","wait":1,"on":"queue","by":7,"external":true}`},
		{first, `{"op":"panic","f":"f0.1","says":"fatal"}`},
		{first, `{"op":"attach","token":1}`},
		{first, `{"op":"complete","token":1,"says":"attached"}`},
	} {
		_, err := Check(strings.NewReader(sealed(lines)))
		var uncovered *Uncovered
		if !errors.As(err, &uncovered) || uncovered.Line != len(lines) || !strings.Contains(err.Error(), "not covered by the model: ") {
			t.Errorf("%v: %v", lines[len(lines)-1], err)
		}
	}
}

func TestATraceThatIsCutAnywhereIsTruncated(t *testing.T) {
	text := sealed(shortRun)
	for n := len(first) + 1; n < len(text); n++ {
		if _, err := Check(strings.NewReader(text[:n])); !errors.Is(err, ErrTruncated) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
}

// Whatever bit is flipped: the line is no record, or no transition, or not what was
// written.
func TestATraceWithAFlippedBitIsRefused(t *testing.T) {
	text := []byte(sealed(shortRun))
	for i := range text {
		for bit := range 8 {
			text[i] ^= 1 << bit
			if report, err := Check(strings.NewReader(string(text))); err == nil {
				t.Errorf("byte %d, bit %d: %+v\n%s", i, bit, report, text)
			}
			text[i] ^= 1 << bit
		}
	}
}

func TestALineThatIsNoneOfATraceIsNamed(t *testing.T) {
	for _, tt := range []struct{ name, line, says string }{
		{"no JSON", `spawn f0.1`, "not JSON of this format"},
		{"an empty line", ``, "not JSON of this format"},
		{"two values", `{"op":"yield","f":"f0.1"}{}`, "bytes behind"},
		{"an unknown field", `{"op":"spawn","fibre":"f0.1"}`, "unknown field"},
		{"an unknown op", `{"op":"spam","f":"f0.1"}`, `op "spam" is none`},
		{"no fiber", `{"op":"spawn"}`, "lacks one"},
		{"a field too many", `{"op":"yield","f":"f0.1","wait":1}`, "field too many"},
		{"no name of a fiber", `{"op":"spawn","f":"f0"}`, "not a fiber ID"},
		{"a count in the middle", `{"op":"yield","f":"f0.1","count":1}`, "field too many"},
		{"a wait that nobody counts to", `{"op":"arm","f":"f0.1","wait":281474976710656,"on":"queue"}`, "no scheduler counts"},
		{"a line without an end", `{"op":"` + strings.Repeat("x", 2*MaxLine), "more than 1024 bytes"},
		{"a line just too long", `{"op":"` + strings.Repeat("x", MaxLine), "more than 1024 bytes"},
	} {
		_, err := Check(strings.NewReader(sealed(append(shortRun[:2:2], tt.line))))
		var wrong *FormatError
		if !errors.As(err, &wrong) || wrong.Line != 3 || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestTheEndOfATraceMustFit(t *testing.T) {
	text := sealed(shortRun)
	beforeSum, _, _ := strings.Cut(text, `"sum":`)
	for _, tt := range []struct{ name, text, says string }{
		{"another count", strings.Replace(text, `"count":7`, `"count":8`, 1), "says it has 8 transitions"},
		{"another sum", beforeSum + `"sum":1}` + "\n", "checksum"},
		{"an end in other words", strings.Replace(text, `"count"`, `"Count"`, 1), "the end is written"},
		{"a line behind it", text + shortRun[1] + "\n", "a line behind the end"},
		{"no first line", strings.Join(shortRun[1:], "\n"), "not the first line"},
		{"a first line of something else", `{"trace":"strace","version":1}` + "\n", "not the first line"},
		{"a first line with more", `{"trace":"selvage","version":1,"x":0}` + "\n", "unknown field"},
	} {
		var wrong *FormatError
		if _, err := Check(strings.NewReader(tt.text)); !errors.As(err, &wrong) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestATraceOfAnotherVersionIsRefusedByItsNumber(t *testing.T) {
	var version *VersionError
	_, err := Check(strings.NewReader(`{"trace":"selvage","version":3,"what":"else"}` + "\n"))
	if !errors.As(err, &version) || version.Version != 3 {
		t.Error(err)
	}
}

func TestATraceOfVersion1IsReadByItsNamesOfOps(t *testing.T) {
	const first1 = `{"trace":"selvage","version":1,"scheduler":0}`
	inCall := []string{
		`{"op":"spawn","f":"f0.1","nests":true}`, `{"op":"schedule","f":"f0.1"}`, `{"op":"acquire","f":"t0.1"}`,
	}
	yields := append(inCall[:3:3], `{"op":"giveway","f":"t0.1"}`, `{"op":"unpin","f":"f0.1"}`)
	fails := append(inCall[:3:3], `{"op":"arm","f":"t0.1","wait":1,"on":"queue"}`, `{"op":"block","f":"t0.1","says":"pinned"}`,
		`{"op":"condemn","f":"t0.1","says":"deadlock"}`)
	for _, lines := range [][]string{yields, fails} {
		report, err := Check(strings.NewReader(sealed(append([]string{first1}, lines...))))
		if err != nil || report.Transitions != uint64(len(lines)) {
			t.Errorf("%s: %+v, %v", lines[3], report, err)
		}
		var format *FormatError
		if _, err := Check(strings.NewReader(sealed(append([]string{first}, lines...)))); !errors.As(err, &format) {
			t.Errorf("version 2 has no such op, but: %v", err)
		}
	}
	var uncovered *Uncovered
	if _, err := Check(strings.NewReader(sealed([]string{first1, `{"op":"desert","f":"t0.1"}`}))); !errors.As(err, &uncovered) {
		t.Error(err)
	}
}

func TestATraceOfVersion1SaysThatAFiberWhichHasEndedIsDead(t *testing.T) {
	for version, answer := range map[string]string{"1": "dead", "2": "gone"} {
		lines := append([]string{`{"trace":"selvage","version":` + version + `,"scheduler":0}`}, shortRun[1:]...)
		lines = append(lines, `{"op":"deliver","f":"f0.1","wait":1,"says":"`+answer+`"}`, `{"op":"cancel","f":"f0.1","says":"`+answer+`"}`)
		if _, err := Check(strings.NewReader(sealed(lines))); err != nil {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

func TestAReaderThatFailsIsTold(t *testing.T) {
	broken := errors.New("the disk is gone")
	text := sealed(shortRun)
	for _, n := range []int{0, 60, len(text)} {
		_, err := Check(io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

// Nothing is kept of what is over: a fiber that waits ten thousand times with a
// deadline and an operation costs no more than one that does so a hundred times.
func TestMemoryIsBoundedByWhatIsAlive(t *testing.T) {
	few, many := heapAfter(t, 100), heapAfter(t, 10_000)
	if many > few+1<<20 {
		t.Errorf("%d bytes are kept after 100 rounds, %d after 10000", few, many)
	}
}

func heapAfter(t *testing.T, rounds int) uint64 {
	t.Helper()
	c := newChecker(&rondo{sum: crc32.NewIEEE(), rounds: rounds})
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(c)
	return m.HeapAlloc
}

// rondo is the trace of a fiber that does the same again and again, and of others that
// come and go. It is made as it is read.
type rondo struct {
	text           bytes.Buffer
	sum            hash.Hash32
	played, rounds int
}

func (r *rondo) Read(p []byte) (int, error) {
	if r.text.Len() == 0 {
		r.play()
	}
	return r.text.Read(p)
}

// play writes what comes next: the beginning, a round, or the end.
func (r *rondo) play() {
	switch n := r.played; {
	case n == 0:
		fmt.Fprintln(&r.text, strings.Join(shortRun[:3], "\n"))
	case n <= r.rounds:
		fmt.Fprintf(&r.text, round, 2*n-1, 2*n, n)
	case n == r.rounds+1:
		fmt.Fprintf(&r.text, `{"op":"end","count":%d,"sum":%d}`+"\n", 2+r.rounds*strings.Count(round, "\n"), r.sum.Sum32())
	}
	r.played++
	r.sum.Write(r.text.Bytes())
}

// round is numbered by two waits and the life of the second fiber.
const round = `{"op":"submit","f":"f0.1","token":%[1]d}
{"op":"arm","f":"f0.1","wait":%[1]d,"on":"io","token":%[1]d,"by":%[1]d}
{"op":"block","f":"f0.1","says":"parked"}
{"op":"complete","token":%[1]d,"says":"woken"}
{"op":"spawn","f":"f1.%[3]d"}
{"op":"schedule","f":"f0.1"}
{"op":"kill","f":"f1.%[3]d"}
{"op":"arm","f":"f0.1","wait":%[2]d,"on":"timer","by":%[2]d}
{"op":"block","f":"f0.1","says":"parked"}
{"op":"reap","f":"f1.%[3]d"}
{"op":"deadline","f":"f0.1"}
{"op":"schedule","f":"f0.1"}
`
