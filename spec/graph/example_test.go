package graph_test

import (
	"fmt"
	"strconv"

	"github.com/selvage-dev/selvage/spec/graph"
)

// climber goes up one or two steps of a stair and must not go past its end.
type climber struct{ steps, stride int }

type (
	stride int
	place  string
)

func (s stride) String() string { return "+" + strconv.Itoa(int(s)) }
func (p place) String() string  { return string(p) }

func (c climber) Valid() error  { return nil }
func (c climber) Init() int     { return 0 }
func (c climber) All() []stride { return []stride{1, stride(c.stride)} }

func (c climber) Step(s *int, a stride) (place, bool) {
	if *s >= c.steps {
		return "", false
	}
	*s += int(a)
	return "on", true
}

func (c climber) Check(s *int) graph.Breach {
	if *s > c.steps {
		return graph.Breaks(1, "step %d of %d", *s, c.steps)
	}
	return graph.Breach{}
}

func (c climber) CheckStep(*int, stride, place, *int) graph.Breach { return graph.Breach{} }
func (c climber) AppendKey(dst []byte, s *int) []byte              { return strconv.AppendInt(dst, int64(*s), 10) }

func ExampleExplore() {
	g, err := graph.Explore(climber{steps: 3, stride: 1}, 100, nil)
	fmt.Println(g.States, g.Edges, g.Depth, err)
	_, err = graph.Explore(climber{steps: 3, stride: 2}, 100, nil)
	fmt.Println(err)
	_, err = graph.Explore(climber{steps: 3, stride: 1}, 2, nil)
	fmt.Println(err)
	// Output:
	// [0 1 2 3] 6 3 <nil>
	// spec: I1: step 4 of 3 after [+2 +2]
	// spec: the graph is larger than the limit
}

func ExampleBreach() {
	fmt.Println(graph.Breach{}, "/", graph.Breaks(11, "f%d overtakes", 2))
	// Output: ok / I11: f2 overtakes
}
