package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	right = "spawn a\nnext\n----\nspawn: a is f0.1\n  a: dead → runnable\nnext: a\n  a: runnable → running\n"
	wrong = "spawn a\nnext\n----\nspawn: a is f0.1\n  a: dead → runnable\nnext: b\n"
)

func TestScriptsThatMatchAreSilent(t *testing.T) {
	files{"one.txt": right, "two.txt": right}.write(t)
	e := selvage(t, "script", "one.txt", "two.txt")
	e.want(t, statusDone)
	e.wantOut(t, "")
}

func TestAScriptThatDiffersShowsADiffAndGivesStatusOne(t *testing.T) {
	files{"one.txt": right, "two.txt": wrong, "three.txt": "frobnicate\n----\n"}.write(t)
	e := selvage(t, "script", "one.txt", "two.txt", "three.txt")
	e.want(t, statusGuest, "selvage: 2 of 3 scripts differ\n")
	for _, piece := range []string{
		"two.txt:1: the output is not as expected (-want +got)\n",
		"-   next: b\n", "+   next: a\n", `three.txt:1: no command "frobnicate"`,
	} {
		if !strings.Contains(e.out, piece) {
			t.Errorf("stdout lacks %q", piece)
		}
	}
	if strings.Contains(e.out, "one.txt") {
		t.Error("stdout names the script that is right")
	}
}

func TestRewriteWritesWhatReallyComes(t *testing.T) {
	files{"two.txt": wrong}.write(t)
	selvage(t, "script", "--rewrite", "two.txt").want(t, statusDone)
	text, err := os.ReadFile("two.txt")
	if err != nil || string(text) != right {
		t.Errorf("the rewritten script is %q, %v", text, err)
	}
	selvage(t, "script", "two.txt").want(t, statusDone)
}

func TestAScriptFileThatIsAnythingIsNoReasonToCrash(t *testing.T) {
	files{"empty.txt": "", "junk.txt": "\x00\xff\x1bLua----\n\n----\nspawn\n----\n", "comment.txt": "# only words\n"}.write(t)
	selvage(t, "script", "empty.txt").want(t, statusDone)
	selvage(t, "script", "comment.txt").want(t, statusDone)
	selvage(t, "script", "junk.txt").want(t, statusGuest, "1 of 1 scripts differ")
	selvage(t, "script", ".").want(t, statusUsage, "cannot read the script")
}

func TestTheSchedulersOwnScriptsMatch(t *testing.T) {
	selvage(t, append([]string{"script"}, scripts(t, "scheduler")...)...).want(t, statusDone)
}

func TestTheScriptsOfActorsMatch(t *testing.T) {
	paths := scripts(t, "actor")
	selvage(t, append([]string{"script", "--actors"}, paths...)...).want(t, statusDone)
	selvage(t, "script", paths[0]).want(t, statusGuest, "1 of 1 scripts differ")
}

func scripts(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob("../../" + folder + "/testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	return paths
}

func TestRewriteWritesWhatActorsDo(t *testing.T) {
	files{"one.txt": "spawn ada\n"}.write(t)
	selvage(t, "script", "--actors", "--rewrite", "one.txt").want(t, statusDone)
	text, err := os.ReadFile("one.txt")
	if want := "spawn ada\n----\nspawn: ada is a2.1\n"; err != nil || string(text) != want {
		t.Errorf("the rewritten script is %q, %v", text, err)
	}
}
