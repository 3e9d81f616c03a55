package actor_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/scheduler"
)

// greeter is a system whose root greets.
func greeter(word string) *actor.System[string] {
	sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, named("greeter", func(cx *me, name string) {
		cx.Send(actor.Output, word+" "+name)
	}), options{})
	if err != nil {
		panic(err)
	}
	return sys
}

// What the greeter was given, and what it did.
func ExampleRecorder() {
	sys := greeter("hello")
	r, err := actor.Record(sys, os.Stdout, actor.JSON[string]())
	if err != nil {
		panic(err)
	}
	sys.Dispatch("Ada")
	sys.Turn()
	fmt.Println(r.Close())
	// Output:
	// {"journal":"selvage actors","version":1,"seed":0}
	// {"in":"send","from":"outside","to":"a1.1","msg":"Ada"}
	// {"turn":0}
	// {"do":"spawn","from":"outside","to":"a1.1","name":"greeter"}
	// {"do":"send","from":"outside","to":"a1.1","msg":"Ada"}
	// {"do":"send","from":"a1.1","to":"output","msg":"hello Ada"}
	// {"end":5,"sum":504892179}
	// <nil>
}

const morning = `{"journal":"selvage actors","version":1,"seed":0}
{"in":"send","from":"outside","to":"a1.1","msg":"Ada"}
{"turn":0}
{"do":"spawn","from":"outside","to":"a1.1","name":"greeter"}
{"do":"send","from":"outside","to":"a1.1","msg":"Ada"}
{"do":"send","from":"a1.1","to":"output","msg":"hello Ada"}
`

// replays plays a journal to a greeter that says this word.
func replays(word, journal string) error {
	p, err := actor.NewPlayer(greeter(word), strings.NewReader(journal), actor.JSON[string](), nil)
	if err != nil {
		return err
	}
	return p.Play()
}

// The same greeter does the same again.
func ExamplePlayer() {
	fmt.Println(replays("hello", morning+`{"end":5,"sum":504892179}`))
	// Output: <nil>
}

// The greeter's code has changed.
func ExampleJournalError_differs() {
	fmt.Println(replays("bonjour", morning))
	// Output:
	// actor: journal, line 6: the replay differs:
	//   journal: {"do":"send","from":"a1.1","to":"output","msg":"hello Ada"}
	//   replay:  {"do":"send","from":"a1.1","to":"output","msg":"bonjour Ada"}
}

func ExampleJournalError() {
	fmt.Println(replays("hello", morning)) // without its last line
	// Output: actor: journal, line 7: the journal was cut short: its last line is missing
}

func ExampleCodec() {
	c := actor.JSON[struct{ To actor.Handle }]()
	text, err := c.Encode(struct{ To actor.Handle }{3 | 1<<32})
	fmt.Println(string(text), err)
	_, err = c.Decode([]byte(`{"To":"Bob"}`))
	fmt.Println(err)
	// Output:
	// {"To":"a3.1"} <nil>
	// actor: "Bob" is no handle; want one like a3.1
}
