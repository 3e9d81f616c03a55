package actorscript

import (
	"path"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/stackful"
)

// Role makes the actor for a role. The words are what the script says behind its name.
type Role func(rt *stackful.Runtime, words []string) actor.Spec[string]

// Roles are the roles that a script may give to actors, by their names. Every script can also use
// the roles puppet and async.
type Roles map[string]Role

// Run runs a script. The name is for messages; its last element appears in error lines. Any
// text is a script.
func Run(name, text string, roles Roles) *script.Result {
	w := newWorld(path.Base(name), roles)
	defer w.close()
	return script.Run(name, text, w)
}

// Rewrite replaces the outputs of a script by those that come when it is run.
func Rewrite(name, text string, roles Roles) string {
	return script.Rewrite(text, func(text string) *script.Result { return Run(name, text, roles) })
}
