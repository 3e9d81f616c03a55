package script

import (
	"path"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/stackful"
)

// Role makes an actor of a scenario. The words are what the script says behind its name.
type Role func(rt *stackful.Runtime, words []string) actor.Spec[string]

// Cast are the roles that a script may give out, by their names.
type Cast map[string]Role

// Result is a script that has been run: what it expected and what came.
type Result = transcript.Result

// Run runs a script. The name is for messages; its last element appears in error lines. Any
// text is a script.
func Run(name, text string, cast Cast) *Result {
	w := newWorld(path.Base(name), cast)
	defer w.close()
	return transcript.Run(name, text, w)
}

// Rewrite is the script with the outputs that really come.
func Rewrite(name, text string, cast Cast) string {
	return transcript.Rewrite(text, func(text string) *Result { return Run(name, text, cast) })
}
