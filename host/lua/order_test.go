package lua

import (
	"slices"
	"testing"

	glua "github.com/yuin/gopher-lua"
)

// inOrder are the keys of a table in the order of pairs.
func inOrder(table *glua.LTable) (keys []string) {
	for k, _ := table.Next(glua.LNil); k != glua.LNil; k, _ = table.Next(k) {
		keys = append(keys, k.String())
	}
	return keys
}

// pairs has the order in which the keys were added.
func TestTheKeysOfEveryLibraryAreInOrder(t *testing.T) {
	state := glua.NewState(glua.Options{SkipOpenLibs: true})
	defer state.Close()
	openInOrder(state)
	plain := glua.NewState()
	defer plain.Close()
	for _, l := range libraries() {
		keys := inOrder(l.table(state))
		for _, key := range keys {
			if l.table(state).RawGetString(key) == glua.LFalse {
				t.Errorf("%s.%s was left out", l.name, key)
			}
		}
		want := slices.Clone(keys)
		slices.Sort(want)
		if l.globals() != "" && !slices.Equal(keys, want) {
			t.Errorf("%s: %v", l.name, keys)
		}
		for _, key := range keysOf(l.table(plain)) {
			if key != glua.ChannelLibName && !slices.Contains(keys, key) {
				t.Errorf("%s has no %s", l.name, key)
			}
		}
	}
}

func TestTheGlobalsAreInTheSameOrderInEveryState(t *testing.T) {
	var first []string
	for range 5 {
		state := glua.NewState(glua.Options{SkipOpenLibs: true})
		openInOrder(state)
		keys := inOrder(state.G.Global)
		state.Close()
		if first == nil {
			first = keys
		}
		if !slices.Equal(keys, first) {
			t.Fatalf("%v, and before %v", keys, first)
		}
	}
}
