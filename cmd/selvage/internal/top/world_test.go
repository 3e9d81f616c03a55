package top

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

var rewrite = flag.Bool("rewrite", false, "write the frames to testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// terminal is a model without a terminal, and what it has asked for.
type terminal struct {
	t     *testing.T
	m     *model
	wants []want
	deeds []deed
}

func newTerminal(t *testing.T, width, height int) *terminal {
	w := &terminal{t: t}
	s := running()
	w.m = newModel("127.0.0.1:8080", &s, paint{plain: true}, func(n want) { w.wants = append(w.wants, n) }, func(d deed) { w.deeds = append(w.deeds, d) })
	w.send(tea.WindowSizeMsg{Width: width, Height: height})
	return w
}

func running() inspect.Summary {
	return inspect.Summary{Version: 1, Program: "bank.lua", Ending: inspect.Ending{Verdict: inspect.Running}, Fibers: 100_000, Active: 2, Blocked: 99_998,
		Calls: 1, Control: true, Rates: inspect.Rates{Transitions: 123_456, Spawned: 12, Ended: 0.5}}
}

// send is a message for the screen, which has no command but to quit.
func (w *terminal) send(message tea.Msg) tea.Cmd {
	_, cmd := w.m.Update(message)
	return cmd
}

// press sends keys: names, such as enter, or characters.
func (w *terminal) press(keys ...string) {
	w.t.Helper()
	for _, k := range keys {
		require.Nil(w.t, w.send(key(k)), k)
	}
}

func key(name string) tea.KeyPressMsg {
	codes := map[string]rune{"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "left": tea.KeyLeft}
	switch code, known := codes[name]; {
	case known:
		return tea.KeyPressMsg{Code: code}
	case name == "ctrl+c" || name == "ctrl+u":
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// newest is what the screen needs now.
func (w *terminal) newest() want { return w.wants[len(w.wants)-1] }

// answer is the inspector of a program with so many fibers.
func (w *terminal) answer(fibers int) {
	q := w.newest().query
	l := &inspect.List{Total: 100_000, Matched: fibers, Offset: q.Offset, Now: 1e9}
	for i := q.Offset; i < min(q.Offset+q.Limit, fibers); i++ {
		l.Fibers = append(l.Fibers, row(i))
	}
	w.send(got{want: w.newest(), list: l})
}

func row(i int) inspect.Row {
	soon := int64(1e9 + 2_500_000_000)
	return []inspect.Row{
		{ID: fmt.Sprintf("f%d.1", i), Name: "main", State: "runnable", Site: "bank.lua:30"},
		{ID: fmt.Sprintf("f%d.1", i), Name: "alice", State: "blocked", Reason: "queue", Waits: []string{`mutex "b" (owner f2.1, waiting: 1)`}, Site: "a/rather/long/way/to/bank.lua:7"},
		{ID: fmt.Sprintf("f%d.1", i), Name: "bob", State: "blocked", Reason: "timer", Deadline: &soon, External: true, Paused: true, Site: "bank.lua:8"},
		{ID: fmt.Sprintf("f%d.1", i), Name: "\x1b[2J界界界界界界界界界界界", State: "blocked", Reason: "queue", Waits: []string{"chan"}, Call: "t4.1"},
	}[i%4]
}

// alice is the page of one fiber of a deadlock.
func alice() *inspect.Detail {
	return &inspect.Detail{Row: row(1), Now: 1e9,
		On:      []inspect.Awaited{{Object: `mutex "b" (owner f2.1, waiting: 1)`, Holders: []inspect.Peer{{ID: "f2.1", Name: "bob"}}}, {Object: "chan"}},
		Waiters: []inspect.Waiter{{Peer: inspect.Peer{ID: "f2.1", Name: "bob"}, Object: `mutex "a"`}, {Peer: inspect.Peer{ID: "t1.1"}}},
		Stack: []inspect.Call{
			{Frame: frame.Frame{Function: "lock"}},
			{Frame: frame.Frame{Function: "transfer", File: "bank.lua", Line: 7, Locals: []frame.Variable{{Name: "sum", Value: `"a\x1b[2Jb"`}}},
				Source: &inspect.Excerpt{First: 6, Lines: []string{"\ta:lock()", "\tb:lock() -- \x1b]0;x\x07", "end"}}},
		},
		History: []inspect.Event{{At: 1_500_000, Transition: 7, What: "block", Text: "on mutex \"b\" at bank.lua:7"}},
	}
}

// deadlock is the graph of two fibers that wait for each other.
func deadlock() *inspect.Graph {
	return &inspect.Graph{Cycle: []string{"f1.1", "f2.1"}, Stuck: [][]string{{"f1.1", "f2.1"}}, Blocked: 3, Partial: true,
		Nodes: []inspect.GraphNode{
			{ID: "f1.1", Kind: "fiber", Name: "alice", Site: "bank.lua:7", Cycle: true}, {ID: "o1", Kind: "object", Name: `mutex "b" (owner f2.1, waiting: 1)`},
			{ID: "f2.1", Kind: "fiber", Name: "bob", Site: "bank.lua:8", Cycle: true}, {ID: "o0", Kind: "object", Name: `mutex "a"`},
			{ID: "f3.1", Kind: "fiber"}, {ID: "t4.1", Kind: "call"},
		},
		Edges: []inspect.GraphEdge{
			{From: "f1.1", To: "o1", Kind: "waits", Cycle: true}, {From: "o1", To: "f2.1", Kind: "held", Cycle: true},
			{From: "f2.1", To: "o0", Kind: "waits", Cycle: true}, {From: "o0", To: "f1.1", Kind: "held", Cycle: true},
			{From: "f3.1", To: "t4.1", Kind: "call"},
		}}
}

// threeIslands are main, which waits for values, north, which waits for room, and one that does not answer.
func threeIslands() *inspect.SetReport {
	return &inspect.SetReport{Version: 1,
		Parts: []inspect.Part{
			{Name: "main", Transitions: 1234, Ready: 1, Blocked: 2},
			{Name: "north 界\x1b[2J", Transitions: 99, Blocked: 1, MovedIn: 3, MovedOut: 4},
			{Name: "a south with a name that is long", Missing: "the program has not answered in time"},
		},
		Ports: []inspect.Port{
			{Name: "bank.lua:1 #1", Part: 0, Capacity: 2, Values: 2, Receivers: 1, Senders: []inspect.PortSender{{Part: new(1), Values: 2, Waiting: 1}, {Part: new(2)}, {}}},
			{Name: "life of north", Part: 1, Capacity: 1, Senders: []inspect.PortSender{}},
		},
		Waits: []inspect.PortWait{{Part: 0, Port: 0, For: "values", Fibers: 1}, {Part: 1, Port: 0, For: "room", Fibers: 1}}}
}

// lost is a connection that ends.
func lost(why string) client.Event { return client.Lost{Err: fmt.Errorf("%s", why), Retry: 250e6} }

// golden compares the frame with the one in a file.
func (w *terminal) golden(name string) {
	w.t.Helper()
	file := filepath.Join("testdata", name+".txt")
	text := w.m.frame() + "\n"
	if *rewrite {
		require.NoError(w.t, os.WriteFile(file, []byte(text), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(w.t, err)
	require.Equal(w.t, string(want), text, "go test -rewrite writes the frames anew")
}
