package main

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestWhatIsNoProgramIsRefusedWithAReason(t *testing.T) {
	var junk strings.Builder
	for i := range 4096 {
		junk.WriteByte(byte(i * 7919 >> 3))
	}
	files{
		"junk.lua":     junk.String(),
		"compiled.lua": "\x1bLuaQ\x00\x01\x04\x08\x04\x08\x00",
		"notes.txt":    "print('not run')",
		"syntax.lua":   "print(1)\nx = = 2\n",
		"open.lua":     "for i = 1, 2 do\n  print(i)\n",
		"quote.lua":    "\n\nprint('abc\n",
		"label.lua":    "goto nowhere\n",
	}.write(t)
	if err := os.Mkdir("folder.lua", 0o755); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]struct {
		status int
		text   string
	}{
		"missing.lua":  {statusUsage, "selvage: cannot read the program: open missing.lua: no such file"},
		"folder.lua":   {statusUsage, "selvage: cannot read the program: read folder.lua: is a directory"},
		"notes.txt":    {statusUsage, `selvage: notes.txt: cannot run ".txt" files; give a Lua program (.lua)`},
		"":             {statusUsage, "no program; give a Lua file"},
		"junk.lua":     {statusGuest, "selvage: junk.lua: is not a Lua program: it holds binary data"},
		"compiled.lua": {statusGuest, "selvage: compiled.lua: is compiled Lua; give the source"},
		"syntax.lua":   {statusGuest, "selvage: syntax.lua:2: syntax error near '='"},
		"open.lua":     {statusGuest, "selvage: open.lua:2: syntax error at the end of the file"},
		"quote.lua":    {statusGuest, "selvage: quote.lua:4: unterminated string"},
		"label.lua":    {statusGuest, "selvage: label.lua:2: no visible label 'nowhere'"},
	} {
		e := selvage(t, "run", file)
		e.want(t, want.status, want.text)
		e.wantOut(t, "")
	}
}

func TestWrongCommandLinesAreRefusedBeforeAnythingRuns(t *testing.T) {
	files{"p.lua": `print("ran")`}.write(t)
	word := strconv.Itoa(strconv.IntSize)
	for line, text := range map[string]string{
		"run":                    "no program; give a Lua file",
		"run --":                 "no program; give a Lua file",
		"run --nonsense p.lua":   "unknown flag --nonsense",
		"run -v p.lua":           "unknown flag -v",
		"run --budget 0 p.lua":   "--budget 0: want at least 1 instruction",
		"run --budget -1 p.lua":  "--budget -1: want at least 1 instruction",
		"run --budget=-1 p.lua":  "--budget -1: want at least 1 instruction",
		"run --budget abc p.lua": `--budget: expected a valid ` + word + ` bit int but got "abc"`,
		"run --budget 1.5 p.lua": `--budget: expected a valid ` + word + ` bit int but got "1.5"`,
		"run --budget 99999999999999999999 p.lua": "--budget: expected a valid " + word + " bit int",
		"run --budget p.lua":                      `--budget: expected a valid ` + word + ` bit int but got "p.lua"`,
		"run p.lua --budget":                      "",
		"run --max-fibers 0 p.lua":                "--max-fibers 0: want at least 1, for the main program",
		"run --max-fibers -5 p.lua":               "--max-fibers -5: want at least 1",
		"run --max-fibers many p.lua":             `--max-fibers: expected a valid ` + word + ` bit int but got "many"`,
		"run --seed -1 p.lua":                     `--seed: expected a valid 64 bit uint but got "-1"`,
		"--nonsense":                              "unknown flag --nonsense",
		"frobnicate":                              "unexpected argument frobnicate",
		"p.lua":                                   "selvage run p.lua",
		"script":                                  `expected "<FILES> ..."`,
		"script missing.txt":                      "cannot read the script: open missing.txt: no such file",
		"script --rewrite missing.txt":            "cannot read the script: open missing.txt: no such file",
		"script --nonsense p.lua":                 "unknown flag --nonsense",
	} {
		t.Run(line, func(t *testing.T) {
			e := selvage(t, strings.Fields(line)...)
			if text == "" { // a flag behind the file is the program's
				e.want(t, statusDone)
				return
			}
			e.want(t, statusUsage, "selvage: ", text)
			e.wantOut(t, "")
		})
	}
}
