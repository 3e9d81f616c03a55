package actorscript_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/internal/script/actorscript"
	"github.com/selvage-dev/selvage/stackful"
)

// A parrot says everything twice. The script is wrong about that.
func ExampleRun() {
	parrot := func(*stackful.Runtime, []string) actor.Spec[string] {
		return actor.Spec[string]{New: actor.Stateless(func(cx *actor.Context[string], msg string) {
			cx.Send(actor.Output, msg+" "+msg)
		})}
	}
	r := actorscript.Run("parrot.txt", `new parrot
send root hello
run
----
new: root is a1.1
run: idle
  outside → root: spawn
  outside → root: hello
  root → output: hello
  out: hello
`, actorscript.Roles{"parrot": parrot})
	fmt.Print(r.Diff())
	// Output:
	// parrot.txt:1: the output is not as expected (-want +got)
	//     new parrot
	//     send root hello
	//     run
	//     ----
	//     …
	//     run: idle
	//       outside → root: spawn
	//       outside → root: hello
	// -     root → output: hello
	// -     out: hello
	// +     root → output: hello hello
	// +     out: hello hello
}
