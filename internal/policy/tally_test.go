package policy

import (
	"fmt"
	"strings"
	"testing"
)

// tally counts exported names by what they are. Names are what a reader must know to
// use a package; methods and fields come with their type.
type tally struct {
	types, functions, constants, variables, members int
}

func (s *surface) tally() tally {
	var n tally
	for _, line := range s.decls {
		switch kind, _, _ := strings.Cut(line, " "); kind {
		case "type":
			n.types++
		case "func":
			n.functions++
		case "const":
			n.constants++
		case "var":
			n.variables++
		}
	}
	for name := range s.decls {
		n.members += len(s.members[name])
	}
	return n
}

func (n tally) plus(m tally) tally {
	return tally{n.types + m.types, n.functions + m.functions, n.constants + m.constants, n.variables + m.variables, n.members + m.members}
}

func (n tally) String() string {
	return fmt.Sprintf("%d exported names (%d types, %d functions, %d constants, %d variables), %d methods and fields",
		n.names(), n.types, n.functions, n.constants, n.variables, n.members)
}

func (n tally) names() int { return n.types + n.functions + n.constants + n.variables }

// within is an error if the API has grown beyond its limits.
func (n tally) within(names, members int) error {
	if n.names() > names || n.members > members {
		return fmt.Errorf("%v: the limits are %d names and %d methods and fields; make what one package needs internal, or group it", n, names, members)
	}
	return nil
}

func TestAnAPIBeyondItsLimitsIsAnError(t *testing.T) {
	n := tally{types: 2, functions: 1, members: 5}
	for _, c := range []struct {
		names, members int
		ok             bool
	}{{3, 5, true}, {2, 5, false}, {3, 4, false}} {
		if err := n.within(c.names, c.members); (err == nil) != c.ok {
			t.Errorf("limits %d and %d: %v", c.names, c.members, err)
		}
	}
}
