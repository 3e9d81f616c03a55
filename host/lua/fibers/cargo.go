package fibers

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
)

// cargo is Lua values on their way to another Lua state: copies in Go's terms, that nobody
// else has. It is moved when it passes a port.
type cargo struct{ values []any }

var _ island.Mover[cargo] = (*cargo)(nil)

// Move gives the values away.
func (c *cargo) Move() cargo {
	moved := *c
	c.values = nil
	return moved
}

// crate is a table in a cargo: keys and values in turn, in the order of the table.
type crate struct{ pairs []any }

// route is a port in a cargo: where it arrives it is an end to send to.
type route string

// maxDepth is how deep tables may be nested in what is sent; a table in itself has no end.
const maxDepth = 100

// maxCargo is how many values are sent at once: they are copied in one go, in which nothing
// else runs, and a few tables that hold each other many times are many values.
const maxCargo = 1 << 20

// stow copies values of this state. The error is one of the program.
func (h *Host) stow(values []glua.LValue) (c cargo, err error) {
	c.values = make([]any, len(values))
	room := maxCargo
	for i, v := range values {
		if c.values[i], err = pack(v, maxDepth, &room); err != nil {
			return cargo{}, err
		}
	}
	return c, nil
}

// pack copies one value; room is how many more there may be.
func pack(v glua.LValue, depth int, room *int) (any, error) {
	if *room--; *room < 0 {
		return nil, fmt.Errorf("more than %d values at once cannot be sent to another island; a table that is in several places counts for each", maxCargo)
	}
	switch v := v.(type) {
	case *glua.LNilType:
		return nil, nil
	case glua.LBool, glua.LNumber, glua.LString:
		return v, nil
	case *glua.LTable:
		return packTable(v, depth, room)
	case *glua.LUserData:
		switch end := v.Value.(type) {
		case *port:
			return route(end.Port.Name()), nil
		case *sender:
			return route(end.to), nil
		}
	}
	return nil, fmt.Errorf("a %s cannot be sent to another island; send nil, booleans, numbers, strings, tables of them and ports", typeName(v))
}

func packTable(t *glua.LTable, depth int, room *int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("a table that is nested more than %d deep, perhaps in itself, cannot be sent to another island", maxDepth)
	}
	c := new(crate)
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		for _, part := range []glua.LValue{k, v} {
			packed, err := pack(part, depth-1, room)
			if err != nil {
				return nil, err
			}
			c.pairs = append(c.pairs, packed)
		}
	}
	return c, nil
}

// unload makes values of this state; ports become ends to send to.
func (h *Host) unload(c cargo) []glua.LValue {
	values := make([]glua.LValue, len(c.values))
	for i, v := range c.values {
		values[i] = h.unpack(v)
	}
	return values
}

func (h *Host) unpack(v any) glua.LValue {
	switch v := v.(type) {
	case nil:
		return glua.LNil
	case *crate:
		t := h.state.Base().NewTable()
		for i := 0; i < len(v.pairs); i += 2 {
			t.RawSet(h.unpack(v.pairs[i]), h.unpack(v.pairs[i+1]))
		}
		return t
	case route:
		return h.senderTo(string(v))
	}
	return v.(glua.LValue) // a boolean, a number or a string: the same in every state
}
