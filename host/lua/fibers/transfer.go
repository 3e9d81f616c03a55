package fibers

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
)

// transferable is Lua values on their way to another Lua state: copies that do not refer to any
// state. It has one owner; passing a port moves it.
type transferable struct {
	values []any
	size   int // how many values they are, with those in tables
}

var _ island.Mover[transferable] = (*transferable)(nil)

// Move passes the values to a new owner.
func (t *transferable) Move() transferable {
	moved := *t
	t.values = nil
	return moved
}

// tableCopy is a table in a transferable: keys and values in turn, in the order of the table.
type tableCopy struct{ pairs []any }

// portName is a port in a transferable. The receiver gets a sender to that port.
type portName string

// maxDepth is how deep the tables that are sent may be nested. It also refuses a table that
// contains itself.
const maxDepth = 100

// maxValues is how many values may be sent at once. They are copied without a preemption, and a
// few tables that contain each other several times can be very many values.
const maxValues = 1 << 20

// encode copies values. The errors are errors of the program.
func encode(values []glua.LValue) (t transferable, err error) {
	t.values = make([]any, len(values))
	room := maxValues
	for i, v := range values {
		if t.values[i], err = encodeOne(v, maxDepth, &room); err != nil {
			return transferable{}, err
		}
	}
	t.size = maxValues - room
	return t, nil
}

// encodeOne copies one value. room is how many more values may be copied.
func encodeOne(v glua.LValue, depth int, room *int) (any, error) {
	if *room--; *room < 0 {
		return nil, fmt.Errorf("more than %d values at once cannot be sent to another island; a table that is in several places counts for each", maxValues)
	}
	switch v := v.(type) {
	case *glua.LNilType:
		return nil, nil
	case glua.LBool, glua.LNumber, glua.LString:
		return v, nil
	case *glua.LTable:
		return encodeTable(v, depth, room)
	case *glua.LUserData:
		switch end := v.Value.(type) {
		case *object[*port]:
			return portName(end.of.Name()), nil
		case *object[*sender]:
			return portName(end.of.to), nil
		}
	}
	return nil, fmt.Errorf("a %s cannot be sent to another island; send nil, booleans, numbers, strings, tables of them and ports", typeName(v))
}

func encodeTable(t *glua.LTable, depth int, room *int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("a table that is nested more than %d deep, perhaps in itself, cannot be sent to another island", maxDepth)
	}
	c := new(tableCopy)
	for k, v := range pairs(t) {
		for _, part := range []glua.LValue{k, v} {
			copied, err := encodeOne(part, depth-1, room)
			if err != nil {
				return nil, err
			}
			c.pairs = append(c.pairs, copied)
		}
	}
	return c, nil
}

// decode makes values of this state.
func (p *ports) decode(t transferable) []glua.LValue {
	p.watch.acquire(messages{})
	values := make([]glua.LValue, len(t.values))
	for i, v := range t.values {
		values[i] = p.decodeOne(v)
	}
	return values
}

func (p *ports) decodeOne(v any) glua.LValue {
	switch v := v.(type) {
	case nil:
		return glua.LNil
	case *tableCopy:
		t := p.state.Base().NewTable()
		for i := 0; i < len(v.pairs); i += 2 {
			p.state.Set(t, p.decodeOne(v.pairs[i]), p.decodeOne(v.pairs[i+1]))
		}
		return t
	case portName:
		return p.senderTo(string(v))
	}
	return v.(glua.LValue) // a boolean, a number or a string: the same in every state
}
