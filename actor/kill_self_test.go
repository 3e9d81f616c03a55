package actor_test

import (
	"testing"

	"github.com/selvage-dev/selvage/actor"
)

// The handler goes on: what it sends to others after the kill is delivered; what it sends to itself
// and what it spawns comes after its end.
func TestAHandlerGoesOnAfterItHasKilledItself(t *testing.T) {
	st := newFixture(t, root(func(cx *me, msg string) {
		ada, _ := cx.Spawn(named("ada", func(cx *me, msg string) {
			cx.Kill(cx.Self(), nil)
			cx.Send(actor.Output, "sent after the kill")
			cx.Send(cx.Self(), "to itself")
			cx.Spawn(named("child", echo))
		}))
		cx.Send(ada, msg)
	}), options{})
	st.outputs(words("go"), "sent after the kill")
	st.reports("ada ended: <nil>", `dead letter a2.1→a2.1 "to itself": actor: no such actor`, `child ended: actor: a3.1 "child" was killed: actor: its parent ended`)
}
