package main

import (
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/actor"
)

// room tells each guest what the others say. Its messages are "comes NAME MOUTH",
// "says NAME TEXT" and "leaves NAME"; what it sends, it also prints.
type room struct{ present []guest }

// guest is a participant of the room, and the actor that receives for them.
type guest struct {
	name  string
	mouth actor.Handle
}

func newRoom() actor.Spec[string] {
	return actor.Spec[string]{Name: "room", New: func(*actor.Context[string]) actor.Handler[string] { return &room{} }}
}

func (r *room) Handle(cx *actor.Context[string], msg string) {
	what, rest, _ := strings.Cut(msg, " ")
	name, rest, _ := strings.Cut(rest, " ")
	switch what {
	case "comes":
		h, err := actor.ParseHandle(rest)
		if err != nil {
			panic(err)
		}
		r.tell(cx, name, name+" comes")
		r.present = append(r.present, guest{name, h})
		_ = cx.Send(h, "welcome "+name)
	case "says":
		r.tell(cx, name, name+": "+rest)
	case "leaves":
		r.present = slices.DeleteFunc(r.present, func(g guest) bool {
			if g.name == name {
				_ = cx.Kill(g.mouth, nil)
			}
			return g.name == name
		})
		r.tell(cx, name, name+" leaves")
	}
}

// tell sends to all guests but the one it is about, in order of arrival.
func (r *room) tell(cx *actor.Context[string], about, line string) {
	_ = cx.Send(actor.Output, line)
	for _, g := range r.present {
		if g.name != about {
			_ = cx.Send(g.mouth, line)
		}
	}
}
