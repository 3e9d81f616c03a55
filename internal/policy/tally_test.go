package policy

import (
	"fmt"
	"strings"
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
		n.types+n.functions+n.constants+n.variables, n.types, n.functions, n.constants, n.variables, n.members)
}
