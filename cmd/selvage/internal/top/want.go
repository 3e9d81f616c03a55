package top

import (
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// screen is one of the things that are shown.
type screen int

const (
	listScreen screen = iota
	fiberScreen
	graphScreen
	islandsScreen
	helpScreen
)

// want is what the screen needs of the inspector.
type want struct {
	screen screen
	query  client.Query // of a list
	id     string       // of the fiber, or of the one that a graph is around
}

// got is an answer to a want. One of the pointers is set unless err is.
type got struct {
	want  want
	list  *inspect.List
	fiber *inspect.Detail
	graph *inspect.Graph
	set   *inspect.SetReport
	err   error
}

// deed is something to do to a fiber.
type deed struct {
	action client.Action
	id     string
}

// did is how a deed has ended.
type did struct {
	deed deed
	err  error
}

// over says that no more events come: the inspector is closed, or with err refuses.
type over struct{ err error }
