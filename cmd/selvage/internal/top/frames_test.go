package top

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// scenes are what a user comes to see, each as the frame of a file in testdata.
func scenes() map[string]func(*terminal) {
	return map[string]func(*terminal){
		"loading": func(*terminal) {},
		"list":    func(w *terminal) { w.answer(100_000) },
		"scrolled": func(w *terminal) {
			w.answer(100_000)
			w.press("end")
			w.answer(100_000)
		},
		"searched": func(w *terminal) {
			w.answer(100_000)
			w.press("/", "b", "o", "b", "enter", "s", "r", "f", "f", "f")
			w.answer(3)
		},
		"typing": func(w *terminal) {
			w.answer(100_000)
			w.press("/", "b", "o")
		},
		"no-match": func(w *terminal) { w.answer(0) },
		"fiber": func(w *terminal) {
			w.answer(100_000)
			w.press("down", "enter")
			w.send(got{want: w.newest(), fiber: alice()})
		},
		"graph": func(w *terminal) {
			w.press("g")
			w.send(got{want: w.newest(), graph: deadlock()})
		},
		"islands": func(w *terminal) {
			w.m.summary.Islands = 3
			w.press("i")
			w.send(got{want: w.newest(), set: threeIslands()})
		},
		"islands-hint": func(w *terminal) {
			w.m.summary.Islands = 3
			w.answer(3)
		},
		"no-islands": func(w *terminal) {
			w.press("i")
			w.send(got{want: w.newest(), set: &inspect.SetReport{Version: 1}})
		},
		"help": func(w *terminal) { w.press("?") },
		"kill": func(w *terminal) {
			w.answer(100_000)
			w.press("k")
		},
		"no-control": func(w *terminal) {
			w.answer(100_000)
			w.m.summary.Control = false
			w.press("c")
		},
		"lost": func(w *terminal) {
			w.answer(100_000)
			w.send(lost("cannot reach the inspector at 127.0.0.1:8080: \x1b[2J"))
		},
		"unanswered": func(w *terminal) { w.send(client.Unanswered{Text: "a long native call"}) },
		"ended": func(w *terminal) {
			w.answer(100_000)
			w.send(client.Ended{Ending: inspect.Ending{Verdict: "deadlock", Error: "selvage: deadlock\nf1.1"}})
		},
		"closed": func(w *terminal) {
			w.answer(100_000)
			w.send(client.Ended{Ending: inspect.Ending{Verdict: "deadlock", Error: "selvage: deadlock\nf1.1"}})
			w.send(over{})
		},
		"refused": func(w *terminal) { w.send(over{errors.New("the inspector wants a token")}) },
	}
}

func TestFramesAreAsInTestdata(t *testing.T) {
	for name, scene := range scenes() {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				w := newTerminal(t, size[0], size[1])
				scene(w)
				w.golden(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]))
			})
		}
	}
}
