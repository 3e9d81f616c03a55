package script

import (
	"path"
	"strings"

	"github.com/selvage-dev/selvage/internal/transcript"
)

// maxCommands bounds a script, so that none runs for long: every command looks at the
// whole scheduler.
const maxCommands = 2000

// Result is a script that has been run: what it expected and what came.
type Result = transcript.Result

// Run runs a script. The name is for messages; its last element appears in error
// lines, so that these do not depend on where the file lies. Any text is a script.
func Run(name, text string) *Result { return transcript.Run(name, text, newWorld(path.Base(name))) }

// Rewrite is the script with the outputs that really come.
func Rewrite(name, text string) string {
	return transcript.Rewrite(text, func(text string) *Result { return Run(name, text) })
}

// Commands lists the commands, a line each: how each is written, and what it does.
func Commands() string {
	var b strings.Builder
	for _, c := range commands() {
		b.WriteString(c.usage + "\n      " + c.does + "\n")
	}
	return b.String()
}
