package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/examples/actor/internal/check"
	"github.com/selvage-dev/selvage/internal/script/actorscript"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

var rewrite = check.Rewrite()

func TestTheProgramPrintsWhatItsGoldenFileSays(t *testing.T) { check.Program(t, run, *rewrite) }

// A run with real sockets is run again without any, and does the same.
func TestTheEveningReplaysWithoutANetwork(t *testing.T) {
	var journal bytes.Buffer
	if err := open(io.Discard, &journal); err != nil {
		t.Fatal(err)
	}
	sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, newRoom(), actor.Options[string]{})
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Count(journal.String(), `"do":"send"`)
	p, err := actor.NewPlayer(sys, &journal, actor.JSON[string](), func(string) (actor.Spec[string], error) {
		return actor.Spec[string]{Start: goactor.Start[string](nil, nil)}, nil // a replay does not call Start
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Play(); err != nil || said < 15 {
		t.Errorf("%v, %d messages", err, said)
	}
}

func TestItsActorsDoWhatTheScriptsSay(t *testing.T) {
	check.Scripts(t, actorscript.Roles{
		"room": func(*stackful.Runtime, []string) actor.Spec[string] { return newRoom() },
		"mouth": func(rt *stackful.Runtime, words []string) actor.Spec[string] {
			return actor.Spec[string]{Start: goactor.Start(rt, func(f *stackful.Fiber, cx *actor.Context[string]) error {
				return mouth(&typist{cx: cx})(f, cx)
			})}
		},
		"ear": func(rt *stackful.Runtime, words []string) actor.Spec[string] {
			h, err := actor.ParseHandle(words[1])
			if err != nil {
				t.Fatal(err)
			}
			return actor.Spec[string]{Start: goactor.Start(rt, ear(words[0], &typist{lines: words[2:]}, h))}
		},
	}, *rewrite)
}

// typist is a wire of a script: a line a second comes over it, and what goes is put out.
type typist struct {
	cx    *actor.Context[string]
	lines []string
}

func (w *typist) ReadLine(f *stackful.Fiber) (string, error) {
	if len(w.lines) == 0 {
		return "", io.EOF
	}
	line := w.lines[0]
	w.lines = w.lines[1:]
	return line, f.Sleep(time.Second)
}

func (w *typist) WriteLine(_ *stackful.Fiber, line string) error {
	return w.cx.Send(actor.Output, "a screen shows "+line)
}
