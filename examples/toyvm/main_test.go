package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

var rewrite = flag.Bool("rewrite", false, "write what the machine prints into main.out")

func TestTheToyPrintsWhatItPrintedBefore(t *testing.T) {
	var out bytes.Buffer
	if err := run(program, &out); err != nil {
		fmt.Fprintln(&out, strings.TrimSpace(err.Error()))
	}
	if *rewrite {
		if err := os.WriteFile("main.out", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, "main.out"); out.String() != want {
		t.Errorf("it printed\n%s\nwant\n%s", &out, want)
	}
}

func TestAWrongProgramFailsItsFiberAndNotTheHost(t *testing.T) {
	for program, why := range map[string]string{
		"jump":               "program.txt:1: panic: no instruction: jump",
		"sleep 1":            "program.txt:1: panic: the program has no such line",
		"go 0\nyield\nend":   "program.txt:-1: panic: the program has no such line",
		"count 2\nloop 9":    "program.txt:8: panic: the program has no such line",
		"divide":             "program.txt:1: panic: division by zero",
		"count many\ndivide": "program.txt:2: panic: division by zero",
	} {
		var out bytes.Buffer
		err := run(program, &out)
		if text := fmt.Sprint(&out, err); !strings.Contains(text, why) {
			t.Errorf("%q: %s\nwant %s", program, text, why)
		}
	}
}

// The test starts itself as the command.
func TestTheExitStatusTellsWhetherTheMainFiberFailed(t *testing.T) {
	if text, started := os.LookupEnv("TOYVM_PROGRAM"); started {
		program = text
		main()
		os.Exit(0)
	}
	for text, want := range map[string]struct {
		status int
		errors string
	}{
		"end":                         {0, ""},
		"divide":                      {1, "program.txt:1: panic: division by zero\n"},
		"go 3\nend\ndivide":           {0, ""}, // the main fiber has ended before the other fails
		"go 4\nyield\nend\ndivide":    {0, ""},
		"go 4\nsend\ndivide\nrecv":    {1, "program.txt:3: panic: division by zero\n"},
		"recv\nend":                   {1, "deadlock: "},
		strings.TrimSpace(program):    {1, "deadlock: "},
		"go 3\nrecv\nsleep 9\nrecv\n": {1, "deadlock: all 2 fibers"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "TOYVM_PROGRAM="+text)
		var errors bytes.Buffer
		cmd.Stderr = &errors
		err := cmd.Run()
		if status := cmd.ProcessState.ExitCode(); status != want.status || !strings.HasPrefix(errors.String(), want.errors) || (want.errors == "") != (errors.Len() == 0) {
			t.Errorf("%q: status %d (%v)\n%s", text, status, err, &errors)
		}
	}
}

var errEnough = errors.New("enough")

// A fiber that the host ends does nothing behind its wait, and leaves nothing in the channel.
func TestAFiberThatIsCancelledOrKilledGoesNoFurther(t *testing.T) {
	for _, wait := range []string{"recv", "send", "sleep 10", "yield"} {
		for _, when := range []string{"before its slice", "before it waits", "while it waits"} {
			for _, how := range []string{"cancelled", "killed"} {
				var out bytes.Buffer
				m := newToy(wait+"\nprint\nend\n", &out)
				var why error
				id, err := m.SpawnWith(state{}, scheduler.Options{Ended: func(_ any, err error) { why = err }})
				if err != nil {
					t.Fatal(err)
				}
				err = m.Run(t.Context(), ending{m, id.ID(), when, how})
				receivers, senders := m.ch.Waiting()
				if err != nil || out.Len() > 0 || receivers+senders > 0 || !errors.Is(why, errEnough) {
					t.Errorf("%s, %s %s: %v; it ended with %v and printed %q, and %d wait in the channel", wait, how, when, err, why, &out, receivers+senders)
				}
			}
		}
	}
}

// ending is when and how the host ends a fiber.
type ending struct {
	*toy
	id        fiber.ID
	when, how string
}

// Resume is the toy's, with the end at its time.
func (e ending) Resume(s *scheduler.Scheduler[state], f *scheduler.Fiber[state]) fiber.Outcome {
	if e.when == "before its slice" {
		e.end()
	}
	out := e.toy.Resume(s, f)
	switch e.when {
	case "before it waits":
		e.end()
	case "while it waits":
		_ = e.Inbox().Do(e.end)
	}
	return out
}

func (e ending) end() {
	end := e.Cancel
	if e.how == "killed" {
		end = e.Kill
	}
	_ = end(e.id, errEnough) // it may have ended
}

// The tutorial shows all of the machine, in the order of the file, then what it runs, then
// what it prints.
func TestTheTutorialShowsTheToyAsItIs(t *testing.T) {
	tutorial := read(t, "../../docs/host-your-vm.md")
	machine := read(t, "main.go")
	machine = machine[strings.Index(machine, "// state is"):]
	if shown := strings.Join(blocks(tutorial, "go"), "\n"); shown != machine {
		t.Errorf("the blocks of the tutorial are together\n%s\nand main.go is\n%s", shown, machine)
	}
	texts := blocks(tutorial, "text")
	for i, name := range []string{"program.txt", "main.out"} {
		if len(texts) <= i || texts[i] != read(t, name) {
			t.Errorf("block %d of text is not %s", i, name)
		}
	}
}

// blocks are the fenced blocks of a language.
func blocks(markdown, language string) (found []string) {
	for _, part := range strings.Split(markdown, "```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "```\n")
		found = append(found, block)
	}
	return found
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
