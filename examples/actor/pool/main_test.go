package main

import (
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/examples/actor/internal/check"
	"github.com/selvage-dev/selvage/internal/script/actorscript"
	"github.com/selvage-dev/selvage/stackful"
)

var rewrite = check.Rewrite()

func TestTheProgramPrintsWhatItsGoldenFileSays(t *testing.T) { check.Program(t, run, *rewrite) }

func TestItsActorsDoWhatTheScriptsSay(t *testing.T) {
	check.Scripts(t, actorscript.Roles{
		"pool": func(rt *stackful.Runtime, _ []string) actor.Spec[string] { return newPool(rt) },
	}, *rewrite)
}
