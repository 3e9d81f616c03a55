package actor_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/actor"
)

// tally is a counter: "+n" adds, "?" puts out the sum. Anything else is its mistake, and
// whoever supervises it decides what follows.
type tally struct{ sum int }

func (c *tally) Handle(cx *me, msg string) {
	if msg == "?" {
		cx.Send(actor.Output, fmt.Sprintf("the sum is %d", c.sum))
		return
	}
	n, err := strconv.Atoi(msg)
	if err != nil {
		panic(err)
	}
	c.sum += n
}

// A counter that begins anew when it is sent nonsense.
func Example_counter() {
	play(spec{
		Name:      "boss",
		Supervise: actor.Supervision{Strategy: actor.OneForOne},
		New: func(cx *me) actor.Handler[string] {
			c, _ := cx.Spawn(spec{Name: "counter", New: func(*me) actor.Handler[string] { return &tally{} }})
			cx.Watch(c, func(d actor.Death) string { return "died: " + d.Cause.Error() })
			return handler(func(cx *me, msg string) {
				if strings.HasPrefix(msg, "died: ") {
					cx.Send(actor.Output, msg)
				} else {
					cx.Send(c, msg)
				}
			})
		},
	}, options{}, "+1", "+2", "?", "many", "+4", "?")
	// Output:
	// the sum is 3
	// the sum is 4
	// died: actor: panic: strconv.Atoi: parsing "many": invalid syntax
	// - actor: idle; all actors wait for messages
}
