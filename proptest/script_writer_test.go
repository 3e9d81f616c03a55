package proptest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/script/schedscript"
)

// What the model says of a walk, in the words of a script, is what the scheduler does:
// the text is right, and a third way to keep both in step.
func TestEveryWalkCanBeWrittenAsAScriptThatTheSchedulerFollows(t *testing.T) {
	written, commands := 0, 0
	for i, c := range wide {
		for seed := range uint64(60) {
			w := NewWalk(NewLockstep(c, Host{}))
			require.NoError(t, w.Wander(seed, 80))
			text, err := (&Failure{Bounds: c, Actions: w.Taken}).Script()
			if errors.Is(err, ErrNoWords) {
				continue
			}
			require.NoError(t, err)
			if result := schedscript.Run("walk.txt", text); !result.OK() {
				t.Fatalf("%s, seed %d:\n%s", name(wide[i]), seed, result.Diff())
			}
			written++
			commands += len(w.Taken)
		}
	}
	t.Logf("%d scripts, %d actions", written, commands)
	if written < 100 {
		t.Error("too few")
	}
}
