package actor_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// dice is a root that rolls a die for each message, and leaves by Goexit at "leave".
func dice(sides int) *actor.System[string] {
	sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, root(func(cx *me, msg string) {
		if msg == "leave" {
			cx.Send(actor.Output, "leaving")
			runtime.Goexit()
		}
		cx.Send(actor.Output, fmt.Sprint(msg, " ", cx.System().Random().IntN(sides)))
	}), options{Seed: 7})
	if err != nil {
		panic(err)
	}
	return sys
}

// journalOf is the journal of these messages.
func journalOf(t *testing.T, sys *actor.System[string], msgs ...string) string {
	t.Helper()
	var out bytes.Buffer
	r, err := actor.Record(sys, &out, actor.JSON[string]())
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range msgs {
		if err := sys.Dispatch(msg); err != nil {
			t.Fatal(err)
		}
	}
	for sys.Phase() != "idle" {
		elsewhere(func() { sys.Turn() })
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// elsewhere calls f on a goroutine that f may end.
func elsewhere(f func()) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	<-done
}

func TestAReplayFindsThatTheCodeIsAnother(t *testing.T) {
	text := journalOf(t, dice(6), "a", "b")
	for sides, differs := range map[int]bool{6: false, 600: true} {
		p, err := actor.NewPlayer(dice(sides), strings.NewReader(text), actor.JSON[string](), nil)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Play()
		var e *actor.JournalError
		if errors.As(err, &e) != differs || !differs && err != nil ||
			differs && (e.Line != 8 || !errors.Is(err, actor.ErrReplayDiffers) || !strings.Contains(replayLine(err), `"msg":"a `)) {
			t.Errorf("%d sides: %v\n%s", sides, err, text)
		}
	}
}

// replayLine is the line of the replay in the text of an error.
func replayLine(err error) string {
	_, line, _ := strings.Cut(err.Error(), "replay:  ")
	return line
}

// As with the run itself, another goroutine goes on.
func TestAReplayGoesOnBehindAGoexit(t *testing.T) {
	text := journalOf(t, dice(6), "a", "leave", "b")
	p, err := actor.NewPlayer(dice(6), strings.NewReader(text), actor.JSON[string](), nil)
	if err != nil {
		t.Fatal(err)
	}
	calls, ended := 0, false
	for ; !ended && calls < 5; calls++ {
		elsewhere(func() { err = p.Play(); ended = true })
	}
	if err != nil || calls != 2 {
		t.Errorf("%d calls of Play, %v\n%s", calls, err, text)
	}
}

func TestAJournalBeginsWithANewSystem(t *testing.T) {
	used := dice(6)
	if err := used.Dispatch("x"); err != nil {
		t.Fatal(err)
	}
	_, recording := actor.Record(used, new(bytes.Buffer), actor.JSON[string]())
	_, playing := actor.NewPlayer(used, strings.NewReader(""), actor.JSON[string](), nil)
	fresh := dice(6)
	_, first := actor.Record(fresh, new(bytes.Buffer), actor.JSON[string]())
	_, second := actor.Record(fresh, new(bytes.Buffer), actor.JSON[string]())
	if !errors.Is(recording, actor.ErrStarted) || !errors.Is(playing, actor.ErrStarted) || first != nil || !errors.Is(second, actor.ErrStarted) {
		t.Errorf("%v, %v, %v, %v", recording, playing, first, second)
	}
}

func TestNothingStandsBehindTheLastLine(t *testing.T) {
	var out bytes.Buffer
	sys := dice(6)
	r, err := actor.Record(sys, &out, actor.JSON[string]())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		_ = sys.Dispatch("late")
		sys.Turn()
	}
	if n := strings.Count(out.String(), "\n"); n != 2 || !strings.Contains(out.String(), `{"end":0,`) {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
}

// full is a disk that is.
type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

// The run goes on as if nothing were wrong; Close says what was.
func TestWhatGoesWrongWithAJournalIsToldAtItsEnd(t *testing.T) {
	noDisk, noForm := errors.New("no disk"), errors.New("no form")
	as := func(text string, err error) actor.Codec[string] {
		c := actor.JSON[string]()
		c.Encode = func(string) ([]byte, error) { return []byte(text), err }
		return c
	}
	for _, c := range []struct {
		to    full
		codec actor.Codec[string]
		want  string
	}{
		{full{noDisk}, actor.JSON[string](), "no disk"},
		{full{}, as("", noForm), "no form"},
		{full{}, as("{}\n", nil), "no JSON value on one line"},
		{full{}, as("{", nil), "no JSON value on one line"},
		{full{}, as(`"`+strings.Repeat("x", 1<<20)+`"`, nil), "at most 1048576 are read back"},
	} {
		sys := dice(6)
		r, err := actor.Record(sys, c.to, c.codec)
		if err != nil {
			t.Fatal(err)
		}
		_ = sys.Dispatch("a")
		if out, err := sys.Next(t.Context()); out == "" || err != nil {
			t.Errorf("%q, %v", out, err)
		}
		if err := r.Close(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestWhatNoJournalCanSayIsRefusedWithItsLine(t *testing.T) {
	const head = `{"journal":"selvage actors","version":1,"seed":7}` + "\n"
	for text, want := range map[string]string{
		"":                                   "line 1: the journal was cut short",
		"x":                                  "line 1: invalid character",
		strings.Replace(head, "1,", "2,", 1): `line 1`,
		head:                                 "line 2: the journal was cut short",
		head + "{}\n":                        "line 2: no line of a journal",
		head + `{"in":"dance"}`:              `line 2: no line of a journal: "dance"`,
		head + `{"surprise":1}`:              `line 2: json: unknown field "surprise"`,
		head + `{"turn":1}` + "\n" + `{"do":"spawn","from":"outside","to":"a1.1","name":"root"}` + "\n" + `{"turn":0}`: "line 4: the time goes backwards",
		head + `{"in":"send","from":"a9.1","to":"a1.1","msg":"x"}`:                                                     "line 2: the actor that is said to have done this is not alive",
		head + `{"in":"send","from":"outside","to":"a1.1","msg":7}`:                                                    "line 2: json: cannot unmarshal number",
		head + `{"in":"send","from":"outside","to":"Bob","msg":"x"}`:                                                   `line 2: actor: "Bob" is no handle`,
		head + `{"in":"spawn","from":"outside","to":"a2.1","name":"x"}`:                                                "line 2: an actor was spawned from outside; give NewPlayer a spec function",
		head + `{"in":"read","actor":"a1.1","n":2000000000}`:                                                           "line 2: the actor has no fiber",
		head + `{"in":"ended","actor":"a1.1"}`:                                                                         "line 2: the actor has no fiber",
		head + `{"in":"told","from":"a1.1","to":"output","msg":"x"}`:                                                   "line 2: no line of a journal",
		head + strings.Repeat("x", 1<<20):                                                                              "line 2: bufio.Scanner: token too long",
	} {
		p, err := actor.NewPlayer(dice(6), strings.NewReader(text), actor.JSON[string](), nil)
		if err == nil {
			err = p.Play()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200q: %v, want %s", text, err, want)
		}
	}
}

// What came of a Start is in the journal, a panic too.
func TestAStartThatFailedFailsInTheReplay(t *testing.T) {
	system := func(start func(*me, scheduler.Options) (fiber.ID, error)) *actor.System[string] {
		sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, root(func(cx *me, msg string) {
			if h, err := cx.Spawn(spec{Name: msg, Start: start}); err == nil {
				_ = cx.Link(h)
			}
		}), options{})
		if err != nil {
			t.Fatal(err)
		}
		return sys
	}
	for want, start := range map[string]func(*me, scheduler.Options) (fiber.ID, error){
		"no room":      func(*me, scheduler.Options) (fiber.ID, error) { return 0, errors.New("no room") },
		"panic: cramp": func(*me, scheduler.Options) (fiber.ID, error) { panic("cramp") },
	} {
		text := journalOf(t, system(start), "failing")
		p, err := actor.NewPlayer(system(func(*me, scheduler.Options) (fiber.ID, error) {
			t.Error("the replay started a fiber")
			return 0, nil
		}), strings.NewReader(text), actor.JSON[string](), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Play(); err != nil || !strings.Contains(text, `"do":"fail","from":"a2.1","to":"a1.1"`) || !strings.Contains(text, want) {
			t.Errorf("%v\n%s", err, text)
		}
	}
}
