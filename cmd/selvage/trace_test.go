package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const traced = `
local ch = fiber.chan()
local t = fiber.spawn(function() for i = 1, 3 do ch:send(i) end; ch:close() end)
for v in ch:iter() do print(v) end
t:join()
fiber.sleep(1)
`

func TestTheTraceOfARunFollowsTheSpecification(t *testing.T) {
	guest(t, traced, "--virtual", "--trace", "t.ndjson").want(t, statusDone)
	e := selvage(t, "spec", "check", "t.ndjson")
	e.want(t, statusDone)
	if !strings.HasPrefix(e.out, "t.ndjson: ") || !strings.HasSuffix(e.out, " transitions, follows the specification\n") {
		t.Error(e.out)
	}
}

// The end of a run belongs to it, also where the program has not come to its own.
func TestTheTraceOfARunThatFailsIsWhole(t *testing.T) {
	for _, program := range []string{
		`fiber.spawn(function() fiber.sleep(1) end); error("no")`,
		`fiber.chan():recv()`,
	} {
		if e := guest(t, program, "--virtual", "--trace", "t.ndjson"); e.status == statusDone {
			t.Fatalf("%s: does not fail", program)
		}
		selvage(t, "spec", "check", "t.ndjson").want(t, statusDone)
	}
}

func TestAWasmProgramIsTracedToo(t *testing.T) {
	files{"empty.wasm": "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x07\x01\x03run\x00\x00\x0a\x04\x01\x02\x00\x0b"}.write(t)
	selvage(t, "run", "--trace", "t.ndjson", "empty.wasm").want(t, statusDone)
	selvage(t, "spec", "check", "t.ndjson").want(t, statusDone)
}

func TestATraceInWhichAWakeIsMissingIsRefusedByLine(t *testing.T) {
	guest(t, traced, "--virtual", "--trace", "t.ndjson").want(t, statusDone)
	text, err := os.ReadFile("t.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if len(lines) == 0 || !strings.Contains(line, `"woken"`) {
			lines = append(lines, line)
		}
	}
	files{"edited.ndjson": strings.Join(lines, "")}.write(t)
	e := selvage(t, "spec", "check", "edited.ndjson")
	e.want(t, statusGuest)
	for _, piece := range []string{"edited.ndjson: line ", "breaks I", "allowed there:", "the lines before:", "transitions before follow the specification"} {
		if !strings.Contains(e.out, piece) {
			t.Errorf("stdout lacks %q:\n%s", piece, e.out)
		}
	}
}

func TestWhatCannotBeReadOrWrittenIsUsage(t *testing.T) {
	guest(t, `print(1)`, "--trace", filepath.Join("no", "such", "folder")).want(t, statusUsage, "cannot write the trace")
	selvage(t, "spec", "check", "missing.ndjson").want(t, statusUsage, "cannot read the trace")
	selvage(t, "spec", "check", ".").want(t, statusUsage, "cannot read the trace")
	selvage(t, "spec").want(t, statusUsage, "check")
}

func TestWhatIsNoTraceIsSaidSo(t *testing.T) {
	files{"p.lua": traced, "cut.ndjson": `{"trace":"selvage","version":2,"scheduler":0}` + "\n"}.write(t)
	for file, says := range map[string]string{
		"p.lua":      "line 1: this is not the first line of a trace",
		"cut.ndjson": "about the rest nothing is known",
	} {
		e := selvage(t, "spec", "check", file)
		e.want(t, statusGuest)
		if !strings.Contains(e.out, says) {
			t.Errorf("%s: %s", file, e.out)
		}
	}
}

func TestTheHelpOfSpecNamesTheCommandsAsTheyAreWritten(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		usage string
	}{
		{[]string{"spec", "--help"}, "Usage: selvage spec COMMAND [flags] ...\n"},
		{[]string{"spec", "check", "--help"}, "Usage: selvage spec check FILE\n"},
		{[]string{"run", "--help"}, "Usage: selvage run [flags] FILE [args ...]\n"},
	} {
		e := selvage(t, tt.args...)
		e.want(t, statusDone)
		if !strings.HasPrefix(e.out, tt.usage) {
			t.Errorf("%v: %s", tt.args, e.out)
		}
	}
}
