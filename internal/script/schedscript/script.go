package schedscript

import (
	"path"

	"github.com/selvage-dev/selvage/internal/script"
)

// maxCommands bounds the time of a script: the runner inspects the whole scheduler after every
// command.
const maxCommands = 2000

// Run runs a script. The name is for messages; error lines contain its last element only, so
// that they do not depend on where the file lies. Any text is a script.
func Run(name, text string) *script.Result { return script.Run(name, text, newWorld(path.Base(name))) }

// Rewrite replaces the outputs of a script by those that come when it is run.
func Rewrite(name, text string) string {
	return script.Rewrite(text, func(text string) *script.Result { return Run(name, text) })
}
