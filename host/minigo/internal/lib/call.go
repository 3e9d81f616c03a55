package lib

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/scheduler"
)

// Func is a native function.
type Func func(c *Call)

// Host is the environment of one running program.
type Host struct {
	Program *code.Program
	Types   value.Types
	Core    *scheduler.Core
	Stdout  io.Writer
	Stderr  io.Writer
	Args    []string
	Env     []string  // each as name=value
	Start   time.Time // the wall-clock time at scheduler time 0
	Random  *rand.Rand
	seeded  bool // Random is that of an explored run
	// Output writes to an output of the program, which cannot receive the error.
	Output func(to io.Writer, s string)
	// Alloc counts memory that is allocated. Text counts a new string, Substring one that is a part of
	// another, and Shared one that shares the memory of a builder: they return the reference to it.
	Alloc                   func(bytes int)
	Limited                 bool // whether memory is; otherwise nothing needs to be counted
	Text, Substring, Shared func(s string) any
	alarms                  *alarm // those that are set
	// Watcher learns what native functions do with what goroutines share; nil if nothing does.
	Watcher Watcher
}

// Watcher is a machine that detects data races.
type Watcher interface {
	// Words and Map are accesses by the running goroutine.
	Words(n []uint64, r []any, write bool)
	Map(m *value.Map)
	// Acquire, Release and Merge are those of package sync, and Adding and Waiting.
	Acquire(object, key value.Interface)
	Release(object, key value.Interface, merge bool)
	Adding(group *value.Object, n, delta int)
	Waiting(group *value.Object)
	// TimerSet returns what TimerSent is called with when the timer has sent to the channel.
	TimerSet() race.Clock
	TimerSent(set race.Clock, ch *value.Words, woken fiber.Wakeup)
}

// Context is the context of the goroutine whose call this is (scheduler.Unwind.Context); while none
// executes, it is context.Background.
func (h *Host) Context() context.Context {
	if h.Core.Current() == 0 {
		return context.Background()
	}
	return h.Core.Unwind().Context()
}

// Then says what the program does after a native function has returned.
type Then uint8

// The next steps of a program.
const (
	GoOn   Then = iota
	Yield       // the other ready fibers run first
	Wait        // the fiber waits
	Panic       // the fiber panics with a run-time error of the text of Err
	Throw       // the fiber panics with the text of Err
	Fatal       // the program ends with the text of Err
	Goexit      // the fiber ends, its deferred calls run
	Exit        // the program ends with Status
	Raise       // the fiber panics with Err, an error of the host
	Work        // the fiber goes on when it has taken Steps
)

// Waiter is a wait of a fiber in a native function.
type Waiter interface {
	// Reason is what the fiber waits for.
	Reason() fiber.Reason
	// Source is the object; nil for a wait that only the clock ends.
	Source() fiber.Source
	// Park registers the ticket there.
	Park(t fiber.Ticket) error
	// Done returns the results when the wait has ended. It may wait again.
	Done(c *Call, t fiber.Ticket, r fiber.Result)
}

// Call is one call of a native function.
type Call struct {
	*Host
	n      []uint64 // the window: results, then arguments
	r      []any
	an, ar int // the next argument
	rn, rr int // the next result

	Then   Then
	Err    error
	Status int
	Steps  int
	Waiter Waiter

	// Pace counts the work. If that of the first attempt is Over when the function returns, what it has
	// returned is forgotten, and it is called again. Before a function has another effect it must
	// therefore ask.
	*value.Pace
}

// Begin makes the call ready for a window whose results take resN words and resR
// references.
func (c *Call) Begin(p *value.Pace, n []uint64, r []any, resN, resR int) {
	c.n, c.r, c.an, c.ar, c.rn, c.rr = n, r, resN, resR, 0, 0
	c.Then, c.Err, c.Waiter, c.Pace = GoOn, nil, nil, p
}

// Resume makes the call ready to return its results after a wait.
func (c *Call) Resume(n []uint64, r []any) {
	c.n, c.r, c.rn, c.rr = n, r, 0, 0
	c.Then, c.Err, c.Waiter = GoOn, nil, nil
}

// Word is the next argument that is one word: an integer or a bool.
func (c *Call) Word() uint64 {
	c.an++
	return c.n[c.an-1]
}

// Ref is the next argument that is one reference: a pointer, a map, a channel, a function.
func (c *Call) Ref() any {
	c.ar++
	return c.r[c.ar-1]
}

// Int is the next argument, an integer.
func (c *Call) Int() int { return int(min(max(int64(c.Word()), math.MinInt), math.MaxInt)) }

// Bool is the next argument, a bool.
func (c *Call) Bool() bool { return c.Word() != 0 }

// Float is the next argument, a float of either size.
func (c *Call) Float() float64 { return math.Float64frombits(c.Word()) }

// String is the next argument, a string.
func (c *Call) String() string {
	return value.Str(c.Ref())
}

// Interface is the next argument, an interface.
func (c *Call) Interface() value.Interface {
	c.an, c.ar = c.an+2, c.ar+1
	return c.Types.Interface(c.n[c.an-2:], c.r[c.ar-1:])
}

// Slice is the next argument, a slice.
func (c *Call) Slice() Slice {
	c.an, c.ar = c.an+3, c.ar+1
	o, _ := c.r[c.ar-1].(*value.Object)
	s := Slice{o, int(c.n[c.an-3]), int(c.n[c.an-2]), int(c.n[c.an-1])}
	c.watchSlice(s)
	return s
}

// ReturnWord returns one word.
func (c *Call) ReturnWord(w uint64) {
	c.n[c.rn] = w
	c.rn++
}

// ReturnRef returns one reference.
func (c *Call) ReturnRef(r any) {
	c.r[c.rr] = r
	c.rr++
}

// ReturnInt returns an int.
func (c *Call) ReturnInt(i int) { c.ReturnWord(uint64(i)) }

// ReturnBool returns a bool.
func (c *Call) ReturnBool(b bool) {
	if b {
		c.ReturnWord(1)
	} else {
		c.ReturnWord(0)
	}
}

// ReturnFloat returns a float64.
func (c *Call) ReturnFloat(f float64) { c.ReturnWord(math.Float64bits(f)) }

// ReturnString returns a string.
func (c *Call) ReturnString(s string) {
	if len(s) > maxJoined {
		c.TooLong()
		return
	}
	if !c.Over() {
		c.ReturnRef(c.Text(s))
	}
}

// ReturnSubstring returns a string that is a part of an argument.
func (c *Call) ReturnSubstring(s string) { c.ReturnRef(c.Substring(s)) }

// ReturnSlice returns a slice.
func (c *Call) ReturnSlice(s Slice) {
	c.ReturnWord(uint64(s.Off))
	c.ReturnWord(uint64(s.Len))
	c.ReturnWord(uint64(s.Cap))
	if s.Object == nil {
		c.ReturnRef(nil)
		return
	}
	c.ReturnRef(s.Object)
}

// ReturnStrings returns a []string of n elements, which fill sets.
func (c *Call) ReturnStrings(n int, fill func(list []any)) {
	switch {
	case n > maxElements:
		c.Fail("makeslice: len out of range")
		return
	case c.Over():
		return
	}
	c.Alloc(value.Bytes(0, n))
	o := value.NewZeroed(c.Pace, 0, n)
	fill(o.R)
	c.ReturnSlice(Slice{o, 0, n, n})
}

// maxElements is how many strings a slice has at most.
const maxElements = 1 << 27

// Fail panics in the program, with a run-time error of this text.
func (c *Call) Fail(text string) { c.Then, c.Err = Panic, errors.New(text) }

// TooLong ends the program because a string would exceed the limit.
func (c *Call) TooLong() {
	c.Then, c.Err = Fatal, errors.New("runtime: out of memory: a string is too long")
}

// Await makes the fiber wait; Done of w returns the results.
func (c *Call) Await(w Waiter) { c.Then, c.Waiter = Wait, w }

// Slice is a slice of any element type.
type Slice struct {
	*value.Object
	Off, Len, Cap int
}

// Word is element i of a slice of words.
func (s Slice) Word(i int) uint64 { return s.N[s.Off+i] }

// String is element i of a []string.
func (s Slice) String(i int) string { return value.Str(s.R[s.Off+i]) }

// Interface is element i of a slice of interfaces.
func (s Slice) Interface(ts value.Types, i int) value.Interface {
	return ts.Interface(s.N[2*(s.Off+i):], s.R[s.Off+i:])
}
