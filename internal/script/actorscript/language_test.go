package actorscript

import (
	"flag"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/internal/script/scripttest"
)

var rewrite = flag.Bool("rewrite", false, "write the real outputs into docs/actors.md")

func language() scripttest.Language {
	return scripttest.Language{
		Run:    func(name, text string) *script.Result { return Run(name, text, nil) },
		Usages: commands().Usages(), Help: commands().String(),
	}
}

func TestTheExamplesInTheDocumentationAreTrue(t *testing.T) {
	language().Guide(t, "../../../docs/actors.md", "actors", *rewrite)
}

func FuzzScript(f *testing.F) {
	language().Fuzz(f, "../../../actor/testdata/*.txt", "run\n----\n----\n", "spawn \"", "spawn a \"\"", "new inbox", "send output x\nsend root \"spawn root\"\nrun")
}

func TestMistakesOfAScriptAreAnsweredInWords(t *testing.T) {
	for text, want := range map[string]string{
		"spwan a":                `x:1: no command "spwan"; did you mean spawn?`,
		"spawn a purpet":         `spawn: error: no such role: "purpet"; did you mean puppet?`,
		"spawn a inbox many":     "spawn: error: inbox wants a number from 1 to 1000",
		"spawn a backoff 1":      "spawn: error: backoff wants a length of time, as 1.5s",
		"spawn root":             "spawn: error: root is taken already; a name means one actor until the next new",
		"spawn ada\nsend adda x": `send: error: no actor is called "adda"; did you mean ada?`,
		"kill":                   "kill: error: kill whom?",
		"block all":              "block: error: block spawn, send, kill or fail?",
		"new fuel 0":             "new: error: fuel wants a number from 1",
		"replay\nreplay":         "replay: error: this system is a replay already; begin again with new",
		"new one-for-one restarts 2 backoff 1s\nspawn a\nreplay\nsend a \"panic one\"\nrun":                                                           "run: error: this system is a replay already; begin again with new",
		"spawn a\nrun\nblock fail a\nblock send\nfail a\nsend a \"out x\"\nrun\npass\nsend a \"out x\"\nrun\nblock kill a\npass\nkill a\nrun\nreplay": "replay: 18 lines, no difference",
		"spawn a\nreplay\nturn":                           "turn: error: this system is a replay already; begin again with new",
		"spawn a\nrun\nreplay\nalive":                     "alive: a root",
		`send root "`:                                     "x:1: \"\\\"\" is no quoted word",
		strings.Repeat("alive\n", 501):                    "x:501: a script has at most 500 commands; split the story",
		"send root again\nrun":                            "run: still busy after 2000 commands",
		"send root again\n" + strings.Repeat("run\n", 20): "x:14: the actors of a script carry out at most 20000 commands; split the story",
		"send root again\nrun\nturn":                      "  … and",
	} {
		if got := Run("x", text, nil).Text(); !strings.Contains(got, want) {
			t.Errorf("%.60q gives\n%s\nwant %s", text, got, want)
		}
	}
}
