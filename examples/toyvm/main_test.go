package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the machine prints into main.out")

func TestTheToyPrintsWhatItPrintedBefore(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
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
