package top

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

func TestOnlyTheRowsOfTheScreenAreAskedFor(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(100_000)
	require.Equal(t, client.Query{Sort: "id", Limit: 17}, w.newest().query)
	for _, step := range []struct {
		key           string
		first, cursor int
	}{
		{"down", 0, 1}, {"pgdown", 2, 18}, {"pgdown", 19, 35}, {"up", 19, 34}, {"end", 99_983, 99_999}, {"down", 99_983, 99_999},
		{"pgup", 99_982, 99_982}, {"home", 0, 0}, {"up", 0, 0},
	} {
		w.press(step.key)
		require.Equal(t, []int{step.first, step.cursor}, []int{w.m.list.first, w.m.list.cursor}, step.key)
		require.Equal(t, client.Query{Sort: "id", Offset: step.first, Limit: 17}, w.newest().query)
		w.answer(100_000)
	}
}

func TestTheSameIsAskedForOnce(t *testing.T) {
	w := newTerminal(t, 80, 24)
	asked := len(w.wants)
	w.answer(10)
	w.press("down", "up", "x")
	w.send(client.Summarized{Summary: new(running())})
	require.Len(t, w.wants, asked, "the loader repeats it")
}

func TestAListThatShrinksKeepsTheCursorInIt(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(100_000)
	w.press("end")
	w.answer(5)
	require.Equal(t, []int{0, 4}, []int{w.m.list.first, w.m.list.cursor})
	require.Equal(t, 0, w.newest().query.Offset)
	w.answer(0)
	w.press("end", "enter", "k", "p")
	require.Equal(t, listScreen, w.m.screen)
	require.Empty(t, w.deeds)
}

func TestSearchSortAndStateAreLeftToTheInspector(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(100_000)
	w.press("pgdown", "/", "q", "k", "backspace", "界", "enter")
	require.Equal(t, client.Query{Search: "q界", Sort: "id", Limit: 17}, w.newest().query, "keys of the search do nothing else")
	w.press("/", "ctrl+u", "x", "esc", "s", "r", "f")
	require.Equal(t, client.Query{Search: "q界", Sort: "name", Descending: true, State: "runnable", Limit: 17}, w.newest().query)
	w.press("S", "r", "f", "f", "f", "esc")
	require.Equal(t, client.Query{Sort: "id", Limit: 17}, w.newest().query)
	w.press("/")
	for range 300 {
		w.press("x")
	}
	w.press("enter")
	require.Len(t, w.newest().query.Search, maxSearch)
}

func TestEnterAndEscGoFromScreenToScreen(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(100_000)
	for _, step := range []struct {
		key  string
		want want
	}{
		{"enter", want{screen: fiberScreen, id: "f0.1"}}, {"?", want{screen: helpScreen}}, {"esc", want{screen: fiberScreen, id: "f0.1"}},
		{"g", want{screen: graphScreen, id: "f0.1"}}, {"esc", want{screen: fiberScreen, id: "f0.1"}},
		{"backspace", want{query: client.Query{Sort: "id", Limit: 17}}}, {"g", want{screen: graphScreen}}, {"left", want{query: client.Query{Sort: "id", Limit: 17}}},
		{"i", want{screen: islandsScreen}}, {"esc", want{query: client.Query{Sort: "id", Limit: 17}}},
	} {
		w.press(step.key)
		require.Equal(t, step.want, w.newest(), step.key)
	}
}

func TestALongTextScrollsToItsEnd(t *testing.T) {
	w := newTerminal(t, 80, 12)
	w.press("?", "end")
	require.Contains(t, w.m.frame(), "quit")
	require.NotContains(t, w.m.frame(), "move")
	w.press("home", "pgup")
	require.Contains(t, w.m.frame(), "move")
}

func TestAnAnswerToSomethingElseIsNotShown(t *testing.T) {
	w := newTerminal(t, 80, 24)
	before := w.newest()
	w.press("s")
	w.send(got{want: before, list: &inspect.List{Matched: 7}})
	require.Nil(t, w.m.list.of)
	w.send(got{want: w.newest(), err: errors.New("state: \x1b[2J")})
	require.Contains(t, w.m.frame(), "state: \uFFFD[2J")
	w.answer(5)
	require.NotContains(t, w.m.frame(), "state: ", "an error stays until there is an answer")
}

func TestCancelAndKillOnlyAfterY(t *testing.T) {
	for key, action := range map[string]client.Action{"k": client.Kill, "c": client.Cancel} {
		w := newTerminal(t, 80, 24)
		w.answer(100_000)
		w.press(key, "q", key, "n", key, "esc", key, "enter")
		require.Empty(t, w.deeds)
		w.press("down", key, "up")
		require.Empty(t, w.deeds)
		w.press(key, "y")
		require.Equal(t, []deed{{action, "f1.1"}}, w.deeds)
	}
}

func TestTheCursorStaysWithItsFiber(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(100)
	w.press("down", "down", "down")
	later := &inspect.List{Total: 100, Matched: 100}
	for _, i := range []int{7, 3, 5, 0} {
		later.Fibers = append(later.Fibers, row(i))
	}
	w.send(got{want: w.newest(), list: later})
	require.Equal(t, "f3.1", w.m.chosen().ID)
	later = &inspect.List{Total: 100, Matched: 100, Fibers: []inspect.Row{row(8), row(9)}}
	w.send(got{want: w.newest(), list: later})
	require.Equal(t, "f9.1", w.m.chosen().ID, "it is gone: the row stays")
}

func TestOneThingIsDoneAtATime(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(100_000)
	w.press("c", "y", "c", "p")
	require.Equal(t, []deed{{client.Cancel, "f0.1"}}, w.deeds)
	w.send(did{deed: w.deeds[0], err: errors.New("no\nway")})
	require.Equal(t, "cancel f0.1: no way", w.m.message)
	w.press("p")
	w.send(did{deed: w.deeds[1]})
	require.Equal(t, "pause f0.1: done", w.m.message)
	w.press("down", "down", "p")
	require.Equal(t, []deed{{client.Cancel, "f0.1"}, {client.Pause, "f0.1"}, {client.Resume, "f2.1"}}, w.deeds, "the third is paused")
}

func TestWithoutPermissionNothingIsDone(t *testing.T) {
	for want, change := range map[string]func(*model){
		"--inspect-control": func(m *model) { m.summary.Control = false },
		"has ended":         func(m *model) { m.summary.Verdict = "done" },
	} {
		for _, k := range []string{"p", "c", "k"} {
			w := newTerminal(t, 80, 24)
			w.answer(100_000)
			change(w.m)
			w.press(k, "y")
			require.Empty(t, w.deeds)
			w.press(k)
			require.Contains(t, w.m.message, want)
		}
	}
}

func TestQuitKeys(t *testing.T) {
	for _, before := range [][]string{nil, {"/"}, {"k"}, {"?"}, {"g"}} {
		w := newTerminal(t, 80, 24)
		w.answer(5)
		w.press(before...)
		require.NotNil(t, w.send(key("ctrl+c")), before)
	}
	require.NotNil(t, newTerminal(t, 80, 24).send(key("q")))
}

func TestANewConnectionAsksAgain(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(5)
	w.send(lost("gone"))
	asked := len(w.wants)
	w.send(client.Summarized{Summary: new(running())})
	require.Len(t, w.wants, asked+1)
	require.False(t, strings.Contains(w.m.frame(), "no connection"))
}
