package minigo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/minigo/internal/vm"
	"github.com/selvage-dev/selvage/internal/long"
)

// TestTheDetectorFindsWhatTheOracleFinds runs random programs, which say what they are about to do and
// what they have done. From these lines the oracle makes the graph of Go's memory model, and its closure:
// a variable has a race if two accesses of it, one of them a write, have no path between them.
func TestTheDetectorFindsWhatTheOracleFinds(t *testing.T) {
	racy, ordered := 0, 0
	check := func(t *rapid.T) {
		source := drawRacing(t)
		found, log := detect(t, source)
		want := oracleOf(log).racy()
		if len(want) > 0 {
			racy++
		} else {
			ordered++
		}
		if !maps.Equal(want, found) {
			t.Fatalf("the oracle has %v, the detector %v\n%s\n%s", want, found, source, log)
		}
	}
	for range long.Cases(8, 60) {
		rapid.Check(t, check)
	}
	require.Greater(t, racy, (racy+ordered)/20)
	require.Greater(t, ordered, (racy+ordered)/20)
}

// detect are the variables that the detector reports, and what the program has printed.
func detect(t *rapid.T, source string) (found map[string]bool, log string) {
	p, err := CompileWatched(File{"main.go", []byte(source)})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	found = map[string]bool{}
	var out bytes.Buffer
	m, err := vm.New(p.code, vm.Config{
		Stdout: &out, Stderr: &out, MaxDepth: DefaultMaxDepth, MaxStack: DefaultMaxStack, Races: true,
		Found: func(r *vm.Race) { found[regexp.MustCompile(`on ([^:]+):`).FindStringSubmatch(r.Text)[1]] = true },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(context.Background()); err != nil && !strings.Contains(err.Error(), "deadlock") {
		t.Fatalf("%v\n%s", err, source)
	}
	return found, out.String()
}

// racingHead has the objects of the random programs, and what they do with them between two lines.
const racingHead = `package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type point struct{ x, y int }

var (
	global int
	words  []string
	mu     [2]sync.Mutex
	rw     sync.RWMutex
	once   sync.Once
	wg     sync.WaitGroup
	flag   atomic.Int64
	sum    int64
	c0     = make(chan int)
	c1     = make(chan int, 1)
	c2     = make(chan int, 2)
	over   = make(chan bool)
)

func lock(g, i int)   { mu[i].Lock(); println(g, "locked", i) }
func unlock(g, i int) { println(g, "unlock", i); mu[i].Unlock() }
func wlock(g int)     { rw.Lock(); println(g, "wlocked") }
func wunlock(g int)   { println(g, "wunlock"); rw.Unlock() }
func rlock(g int)     { rw.RLock(); println(g, "rlocked") }
func runlock(g int)   { println(g, "runlock"); rw.RUnlock() }
func done(g int)      { println(g, "done"); wg.Done() }
func wait(g int)      { wg.Wait(); println(g, "waited") }
func store(g, v int)  { println(g, "store", v); flag.Store(int64(v)) }
func load(g int)      { println(g, "load", int(flag.Load())) }
func add(g int)       { println(g, "add", int(atomic.AddInt64(&sum, 1))) }
func end(g int)       { println(g, "close"); close(over) }
func ended(g int)     { <-over; println(g, "closed") }
func do(g int)        { once.Do(func() { println(g, "first") }); println(g, "did") }
func send(g, i, v int, c chan int) {
	println(g, "send", i, v)
	c <- v
	println(g, "sent", i, v)
}
func recv(g, i int, c chan int) {
	println(g, "recv", i)
	v := <-c
	println(g, "received", i, v)
}
func choose(g int) {
	println(g, "recv", 1)
	select {
	case v := <-c1:
		println(g, "received", 1, v)
	default:
		println(g, "none", 1)
	}
}

func main() {
	n, s, m, p := 0, make([]int, 2), map[int]int{}, &point{}
	_ = func() { _, _, _, _ = n, s, m, p }
`

// drawRacing draws a program of two to four goroutines.
func drawRacing(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(racingHead)
	goroutines := rapid.IntRange(2, 4).Draw(t, "goroutines")
	r := &racing{t: t}
	var bodies []string
	for g := range goroutines {
		bodies = append(bodies, r.body(g+1))
	}
	fmt.Fprintf(&b, "\twg.Add(%d)\n", r.dones)
	for g, body := range bodies {
		if rapid.Bool().Draw(t, "early") {
			b.WriteString(r.access(0))
		}
		fmt.Fprintf(&b, "\tprintln(0, \"go\", %d)\n\tgo func() {\n\tprintln(%d, \"begin\")\n%s\t}()\n", g+1, g+1, body)
	}
	b.WriteString(r.access(0) + "\ttime.Sleep(time.Hour)\n}\nvar _ = runtime.Gosched\n")
	return b.String()
}

// racing draws the parts of a program.
type racing struct {
	t             *rapid.T
	values, dones int
	closed        bool
}

func (r *racing) body(g int) string {
	var b strings.Builder
	for range rapid.IntRange(1, 6).Draw(r.t, "statements") {
		b.WriteString(r.statement(g, 0))
	}
	return b.String()
}

// access is a read or a write of one of the variables.
func (r *racing) access(g int) string {
	v := rapid.SampledFrom([]string{"n", "n", "n", "global", "s[1]", "m", "p.y", "words"}).Draw(r.t, "variable")
	write := rapid.Bool().Draw(r.t, "write")
	line := fmt.Sprintf("\tprintln(%d, \"access\", %q, %v)\n", g, v, write)
	switch {
	case v == "m" && write:
		return line + "\tm[1] = 2\n"
	case v == "m":
		return line + "\t_ = m[1]\n"
	case v == "words" && write:
		return line + "\twords = nil\n"
	case v == "words":
		return line + "\t_ = len(words)\n"
	case write:
		return line + "\t" + v + " = 1\n"
	}
	return line + "\t_ = " + v + " + 1\n"
}

func (r *racing) statement(g, nested int) string {
	inner := func() string {
		if nested > 0 {
			return r.access(g)
		}
		return r.access(g) + r.statement(g, nested+1)
	}
	i := rapid.IntRange(0, 1).Draw(r.t, "which")
	switch rapid.IntRange(0, 16).Draw(r.t, "kind") {
	case 0:
		return fmt.Sprintf("\tlock(%d, %d)\n%s\tunlock(%d, %d)\n", g, nested%2, inner(), g, nested%2)
	case 1:
		return fmt.Sprintf("\twlock(%d)\n%s\twunlock(%d)\n", g, r.access(g), g)
	case 2:
		return fmt.Sprintf("\trlock(%d)\n%s\trunlock(%d)\n", g, r.access(g), g)
	case 3, 4, 15:
		r.values++
		c := rapid.IntRange(0, 2).Draw(r.t, "channel")
		return r.access(g) + fmt.Sprintf("\tsend(%d, %d, %d, c%d)\n", g, c, r.values, c)
	case 5, 6, 16:
		c := rapid.IntRange(0, 2).Draw(r.t, "channel")
		return fmt.Sprintf("\trecv(%d, %d, c%d)\n", g, c, c) + r.access(g)
	case 7:
		r.dones++
		return fmt.Sprintf("\tdone(%d)\n", g)
	case 8:
		return fmt.Sprintf("\twait(%d)\n", g)
	case 9:
		r.values++
		return fmt.Sprintf("\tstore(%d, %d)\n", g, r.values)
	case 10:
		return fmt.Sprintf("\t%s(%d)\n", [...]string{"load", "add"}[i], g)
	case 11:
		if i == 0 && !r.closed {
			r.closed = true
			return fmt.Sprintf("\tend(%d)\n", g)
		}
		return fmt.Sprintf("\tended(%d)\n", g)
	case 12:
		return fmt.Sprintf("\tdo(%d)\n", g)
	case 13:
		return fmt.Sprintf("\tchoose(%d)\n", g)
	}
	return []string{"\truntime.Gosched()\n", "\ttime.Sleep(1)\n"}[i] + r.access(g)
}

// event is one line of the log: a goroutine, what it does, and with what.
type event struct {
	goroutine int
	what      string
	args      []string
}

// oracle is the graph of the happens-before relation: the nodes are the lines of the log, in their order.
type oracle struct {
	events []event
	before [][]bool // before[i][j]: line i happens before line j
}

func oracleOf(log string) *oracle {
	o := &oracle{}
	for line := range strings.Lines(log) {
		var e event
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		if _, err := fmt.Sscan(words[0], &e.goroutine); err != nil {
			continue
		}
		e.what, e.args = words[1], words[2:]
		o.events = append(o.events, e)
	}
	o.before = make([][]bool, len(o.events))
	for i := range o.before {
		o.before[i] = make([]bool, len(o.events))
	}
	for j := range o.events {
		for i := range j {
			o.before[i][j] = o.direct(i, j)
		}
	}
	o.channels()
	o.close()
	return o
}

// direct are the edges between two lines that need no other line. A line stands before what it announces
// and after what has happened, so it is on the right side of it.
func (o *oracle) direct(i, j int) bool {
	a, b := o.events[i], o.events[j]
	same := slices.Equal(a.args, b.args)
	switch {
	case a.goroutine == b.goroutine:
		return true
	case a.what == "go" && b.what == "begin":
		return a.args[0] == fmt.Sprint(b.goroutine)
	case a.what == "unlock" && b.what == "locked", a.what == "store" && b.what == "load":
		return same
	case a.what == "add" && b.what == "add": // each sees the one before it
		return true
	}
	return slices.Contains([]string{
		"wunlock wlocked", "wunlock rlocked", "runlock wlocked", "done waited", "close closed", "first did",
	}, a.what+" "+b.what)
}

// channels adds the edges of channels. Values and receivers are served in the order in which they come.
func (o *oracle) channels() {
	for c := range 3 {
		var sends, sents, recvs, receiveds []int // lines, by number of the send or the receive
		name := fmt.Sprint(c)
		pending := map[int]int{} // receives that have not returned, by goroutine
		at := map[string]int{}   // the number of a value
		for i, e := range o.events {
			if len(e.args) == 0 || e.args[0] != name {
				continue
			}
			switch e.what {
			case "send":
				at[e.args[1]] = len(sends)
				sends, sents = append(sends, i), append(sents, -1)
			case "sent":
				sents[at[e.args[1]]] = i
			case "recv":
				pending[e.goroutine] = len(recvs)
				recvs, receiveds = append(recvs, i), append(receiveds, -1)
			case "none": // it was no receive
				k := pending[e.goroutine]
				recvs, receiveds = slices.Delete(recvs, k, k+1), slices.Delete(receiveds, k, k+1)
			case "received":
				receiveds[pending[e.goroutine]] = i
			}
		}
		// The capacity of channel c is c. Send k and receive k use slot k modulo c, and what uses a slot
		// comes after all that has used it before, as with Go's own detector.
		for k := range max(len(sends), len(recvs)) {
			for use := k; use <= k || c > 0 && use < max(len(sends), len(recvs)); use += max(c, 1) {
				o.edge(sends, k, receiveds, use)
				o.edge(recvs, k, sents, use+c)
				if c > 0 {
					o.edge(sends, k, sents, use+c)
					o.edge(recvs, k, receiveds, use+c)
				}
			}
		}
	}
}

func (o *oracle) edge(from []int, i int, to []int, j int) {
	if i < len(from) && j < len(to) && to[j] >= 0 {
		o.before[from[i]][to[j]] = true
	}
}

// close makes the relation transitive.
func (o *oracle) close() {
	for k := range o.before {
		for i := range o.before {
			if !o.before[i][k] {
				continue
			}
			for j := range o.before {
				o.before[i][j] = o.before[i][j] || o.before[k][j]
			}
		}
	}
}

// racy are the variables with two accesses, one of them a write, of which neither happens before the
// other.
func (o *oracle) racy() map[string]bool {
	found := map[string]bool{}
	for j, b := range o.events {
		for i, a := range o.events[:j] {
			if a.what == "access" && b.what == "access" && a.args[0] == b.args[0] && (a.args[1] == "true" || b.args[1] == "true") &&
				!o.before[i][j] && !o.before[j][i] {
				found[a.args[0]] = true
			}
		}
	}
	return found
}
