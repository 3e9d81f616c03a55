package starlark

import "github.com/selvage-dev/selvage/wait"

// kinds are the types of the objects of the library.
type kinds struct {
	task    *kind[*task]
	channel *kind[*queue]
	mutex   *kind[*wait.Mutex]
	scope   *kind[*lifetime]
}

func newKinds() kinds { return kinds{newTaskKind(), newChanKind(), newMutexKind(), newScopeKind()} }
