package top

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	tea "charm.land/bubbletea/v2"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// anything is text that a program may give to its fibers.
func anything() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.StringN(0, 500, -1),
		rapid.SampledFrom([]string{"\x1b[2J", "\x1b]0;t\x07", "\u009b31m", "\u202e", "e\u0301\u0301", "界", "👨‍👩‍👧", "👍🏽", "🇩🇪", "☎️", "a\tb", "\r\n", "\xff\xfe", "ｱ", "\u200b", "कि", "각"}),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
}

func anyRow() *rapid.Generator[inspect.Row] {
	return rapid.Custom(func(t *rapid.T) inspect.Row {
		s := anything()
		return inspect.Row{ID: s.Draw(t, "id"), Name: s.Draw(t, "name"), State: s.Draw(t, "state"), Reason: s.Draw(t, "reason"), Call: s.Draw(t, "call"), Site: s.Draw(t, "site"),
			Deadline: rapid.Ptr(rapid.Int64(), true).Draw(t, "deadline"), Paused: rapid.Bool().Draw(t, "paused"), Waits: rapid.SliceOfN(s, 0, 3).Draw(t, "waits")}
	})
}

// anySet are islands whose numbers fit together only by chance.
func anySet(text *rapid.Generator[string]) *rapid.Generator[*inspect.SetReport] {
	return rapid.Custom(func(t *rapid.T) *inspect.SetReport {
		set := threeIslands()
		index := rapid.IntRange(-2, 4)
		set.Parts[0].Name, set.Parts[1].Missing, set.Ports[0].Name = text.Draw(t, "name"), text.Draw(t, "missing"), text.Draw(t, "port")
		set.Parts[0].Blocked, set.Ports[0].Part, set.Waits[0].Part, set.Waits[0].Port = rapid.Int().Draw(t, "blocked"), index.Draw(t, "part"), index.Draw(t, "part"), index.Draw(t, "port")
		set.Waits[0].For = text.Draw(t, "for")
		set.Ports[0].Senders[0].Part = rapid.Ptr(index, true).Draw(t, "sender")
		return set
	})
}

// Whatever a server says, the frame has exactly the size of the terminal, and no controls.
func TestEachFrameFillsTheTerminalAndHasNoControls(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newTerminal(t, rapid.IntRange(1, 200).Draw(rt, "width"), rapid.IntRange(1, 60).Draw(rt, "height"))
		s := anything()
		summary := running()
		summary.Program, summary.Verdict, summary.Error = s.Draw(rt, "program"), s.Draw(rt, "verdict"), s.Draw(rt, "error")
		summary.Fibers, summary.Rates.Spawned = rapid.Int().Draw(rt, "fibers"), rapid.Float64().Draw(rt, "rate")
		w.send(client.Summarized{Summary: &summary})
		l := &inspect.List{Fibers: rapid.SliceOfN(anyRow(), 0, 5).Draw(rt, "fibers"), Matched: rapid.Int().Draw(rt, "matched"), Total: rapid.Int().Draw(rt, "total"),
			Offset: rapid.OneOf(rapid.Just(0), rapid.Int()).Draw(rt, "offset"), Now: rapid.Int64().Draw(rt, "now")}
		w.send(got{want: w.newest(), list: l})
		filled(rt, w)
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "home", "end", "enter", "esc", "/", "界", "s", "r", "f", "g", "i", "p", "c", "k", "y", "?"}), 0, 10)
		for _, k := range keys.Draw(rt, "keys") {
			w.press(k)
			d := alice()
			d.Row, d.On[0].Object, d.Stack[1].Source.Lines[0] = anyRow().Draw(rt, "row"), s.Draw(rt, "object"), s.Draw(rt, "source")
			g := deadlock()
			g.Nodes[0].Name, g.Cycle[1], g.Edges[4].To = s.Draw(rt, "name"), s.Draw(rt, "cycle"), s.Draw(rt, "to")
			a := got{want: w.newest(), list: l}
			switch w.newest().screen {
			case fiberScreen:
				a.list, a.fiber = nil, d
			case graphScreen:
				a.list, a.graph = nil, g
			case islandsScreen:
				a.list, a.set = nil, anySet(s).Draw(rt, "islands")
			}
			w.send(a)
			filled(rt, w)
		}
		w.send(rapid.SampledFrom([]tea.Msg{lost("x\x1b[2J"), client.Unanswered{Text: client.Printable(s.Draw(rt, "why"))}, over{}}).Draw(rt, "event"))
		filled(rt, w)
	})
}

// filled checks the frame without styles, and that styles change nothing but how it is drawn.
func filled(t *rapid.T, w *terminal) {
	text := w.m.frame()
	lines := strings.Split(text, "\n")
	require.Len(t, lines, w.m.height)
	for _, line := range lines {
		require.Equal(t, w.m.width, ansi.StringWidth(line), "%q", line)
		require.False(t, strings.ContainsFunc(line, func(r rune) bool { return unicode.In(r, unicode.C) }), "%q", line)
	}
	w.m.paint = paint{colors: true}
	styled := w.m.frame()
	w.m.paint = paint{plain: true}
	require.Equal(t, text, ansi.Strip(styled))
}

func TestWithoutColorsNothingIsColored(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.send(lost("gone"))
	w.m.paint = paint{}
	require.NotContains(t, w.m.frame(), "\x1b[1;31m")
	w.m.paint = paint{colors: true}
	require.Contains(t, w.m.frame(), "\x1b[1;31m")
	require.Contains(t, ansi.Strip(w.m.frame()), "no connection", "what the color says is written too")
}
