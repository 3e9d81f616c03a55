//go:build !purego

package fibers

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

	"github.com/selvage-dev/selvage/internal/long"
)

// TestTheDetectorFindsWhatTheOracleFinds runs random programs, which say what they are about to do and
// what they have done. From these lines the oracle makes the graph of what happens before what, and its
// closure: a variable has a race if two accesses of it, one of them a write, have no path between them.
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

var reported = regexp.MustCompile(`on ([^:]+):`)

// detect are the variables that the detector reports, and what the program has printed.
func detect(t *rapid.T, source string) (found map[string]bool, log string) {
	found = map[string]bool{}
	var out bytes.Buffer
	c := Config{Races: true}
	c.Access.Stdout = &out
	h := New(c)
	defer h.Close()
	h.env.watch.report = func(r *RaceError) { found[reported.FindStringSubmatch(r.Text)[1]] = true }
	if _, err := h.Run(context.Background(), strings.NewReader(source), "p.lua"); err != nil && !strings.Contains(err.Error(), "deadlock") {
		t.Fatalf("%v\n%s", err, source)
	}
	return found, out.String()
}

// racingHead has the objects of the random programs, and what they do with them between two lines.
const racingHead = `
local mu, rw, o = { [0] = fiber.mutex(), fiber.mutex() }, fiber.rwmutex(), fiber.once()
local ch, over, tasks = { [0] = fiber.chan(), fiber.chan(1), fiber.chan(2) }, fiber.chan(), {}
local function lock(g, i) mu[i]:lock() print(g, "locked", i) end
local function unlock(g, i) print(g, "unlock", i) mu[i]:unlock() end
local function wlock(g) rw:lock() print(g, "wlocked") end
local function wunlock(g) print(g, "wunlock") rw:unlock() end
local function rlock(g) rw:rlock() print(g, "rlocked") end
local function runlock(g) print(g, "runlock") rw:runlock() end
local function close(g) print(g, "close") over:close() end
local function closed(g) over:recv() print(g, "closed") end
local function once(g) o:run(function() print(g, "first") end) print(g, "did") end
local function join(g, other) tasks[other]:join() print(g, "joined", other) end
local function send(g, i, v) print(g, "send", i, v) ch[i]:send(v) print(g, "sent", i, v) end
local function recv(g, i) print(g, "recv", i) local v = ch[i]:recv() print(g, "received", i, v) end
local function choose(g)
  print(g, "recv", 1)
  local i, v = fiber.select { { ch[1], "recv" }, default = true }
  if i == "default" then print(g, "none", 1) else print(g, "received", 1, v) end
end
local n, t, s = 0, { x = 0 }, { 0, 0 }
global = 0
`

// drawRacing draws a program of two to four fibers.
func drawRacing(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(racingHead)
	r := &racing{t: t}
	for g := range rapid.IntRange(2, 4).Draw(t, "fibers") {
		body := r.body(g + 1)
		if rapid.Bool().Draw(t, "early") {
			b.WriteString(r.access(0))
		}
		fmt.Fprintf(&b, "print(0, \"go\", %d)\ntasks[%d] = fiber.spawn(function()\nprint(%d, \"begin\")\n%sprint(%d, \"end\")\nend)\n", g+1, g+1, g+1, body, g+1)
	}
	b.WriteString(r.access(0) + "fiber.sleep(3600)\n")
	return b.String()
}

// racing draws the parts of a program.
type racing struct {
	t      *rapid.T
	values int
	closed bool
}

func (r *racing) body(g int) string {
	var b strings.Builder
	for range rapid.IntRange(1, 6).Draw(r.t, "statements") {
		b.WriteString(r.statement(g))
	}
	return b.String()
}

// access is a read or a write of one of the variables.
func (r *racing) access(g int) string {
	v := rapid.SampledFrom([]string{"n", "n", "n", "global", "s[1]", "s[2]", "t.x", "t.new"}).Draw(r.t, "variable")
	write := rapid.Bool().Draw(r.t, "write")
	line := fmt.Sprintf("print(%d, \"access\", %q, %v)\n", g, v, write)
	if write {
		return line + v + " = 1\n"
	}
	return line + "do local _ = " + v + " == 1 end\n"
}

func (r *racing) statement(g int) string {
	i := rapid.IntRange(0, 1).Draw(r.t, "which")
	channel := func() int { return rapid.IntRange(0, 2).Draw(r.t, "channel") }
	switch rapid.IntRange(0, 13).Draw(r.t, "kind") {
	case 0, 1:
		return fmt.Sprintf("lock(%d, %d)\n%sunlock(%d, %d)\n", g, i, r.access(g), g, i)
	case 2:
		return fmt.Sprintf("wlock(%d)\n%swunlock(%d)\n", g, r.access(g), g)
	case 3:
		return fmt.Sprintf("rlock(%d)\n%srunlock(%d)\n", g, r.access(g), g)
	case 4, 5, 6:
		r.values++
		return r.access(g) + fmt.Sprintf("send(%d, %d, %d)\n", g, channel(), r.values)
	case 7, 8, 9:
		return fmt.Sprintf("recv(%d, %d)\n", g, channel()) + r.access(g)
	case 10:
		if i == 0 && !r.closed {
			r.closed = true
			return fmt.Sprintf("close(%d)\n", g)
		}
		return fmt.Sprintf("closed(%d)\n", g)
	case 11:
		return fmt.Sprintf("once(%d)\n", g)
	case 12:
		if g > 1 {
			return fmt.Sprintf("join(%d, %d)\n", g, rapid.IntRange(1, g-1).Draw(r.t, "joined")) + r.access(g)
		}
		return fmt.Sprintf("choose(%d)\n", g)
	}
	return []string{"fiber.yield()\n", "fiber.sleep(1)\n"}[i] + r.access(g)
}

// event is one line of the log: a fiber, what it does, and with what.
type event struct {
	fiber int
	what  string
	args  []string
}

// oracle is the graph of the happens-before relation: the nodes are the lines of the log, in their order.
type oracle struct {
	events []event
	before [][]bool // before[i][j]: line i happens before line j
}

func oracleOf(log string) *oracle {
	o := &oracle{}
	for line := range strings.Lines(log) {
		words := strings.Fields(line)
		e := event{what: words[1], args: words[2:]}
		_, _ = fmt.Sscan(words[0], &e.fiber)
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
	for c := range 3 {
		o.channel(c)
	}
	o.close()
	return o
}

// direct are the edges between two lines that need no other line. A line stands before what it announces
// and after what has happened, so it is on the right side of it.
func (o *oracle) direct(i, j int) bool {
	a, b := o.events[i], o.events[j]
	switch {
	case a.fiber == b.fiber:
		return true
	case a.what == "go" && b.what == "begin":
		return a.args[0] == fmt.Sprint(b.fiber)
	case a.what == "end" && b.what == "joined":
		return b.args[0] == fmt.Sprint(a.fiber)
	case a.what == "unlock" && b.what == "locked":
		return slices.Equal(a.args, b.args)
	}
	return slices.Contains([]string{"wunlock wlocked", "wunlock rlocked", "runlock wlocked", "close closed", "first did"}, a.what+" "+b.what)
}

// channel adds the edges of a channel. Values and receivers are served in the order in which they come.
func (o *oracle) channel(c int) {
	var sends, sents, recvs, receiveds []int // lines, by number of the send or the receive
	pending := map[int]int{}                 // receives that have not returned, by fiber
	at := map[string]int{}                   // the number of a value
	for i, e := range o.events {
		if len(e.args) == 0 || e.args[0] != fmt.Sprint(c) {
			continue
		}
		switch e.what {
		case "send":
			at[e.args[1]] = len(sends)
			sends, sents = append(sends, i), append(sents, -1)
		case "sent":
			sents[at[e.args[1]]] = i
		case "recv":
			pending[e.fiber] = len(recvs)
			recvs, receiveds = append(recvs, i), append(receiveds, -1)
		case "none": // it was no receive
			k := pending[e.fiber]
			recvs, receiveds = slices.Delete(recvs, k, k+1), slices.Delete(receiveds, k, k+1)
		case "received":
			receiveds[pending[e.fiber]] = i
		}
	}
	// The capacity of channel c is c. Send k and receive k use slot k modulo c, and what uses a slot
	// comes after all that has used it before.
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

func (o *oracle) edge(from []int, i int, to []int, j int) {
	if i < len(from) && j < len(to) && to[j] >= 0 {
		o.before[from[i]][to[j]] = true
	}
}

// close makes the relation transitive.
func (o *oracle) close() {
	for k := range o.before {
		for i := range o.before {
			for j := range o.before {
				o.before[i][j] = o.before[i][j] || o.before[i][k] && o.before[k][j]
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
