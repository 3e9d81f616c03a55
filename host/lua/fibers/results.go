package fibers

import (
	"fmt"
	"strconv"

	glua "github.com/yuin/gopher-lua"
)

// fromLua copies the results of a call: see Host.Call for the types.
func fromLua(results []glua.LValue) ([]any, error) {
	values := make([]any, len(results))
	c := conversion{maxValues}
	for i, v := range results {
		var refused *ValueError
		if values[i], refused = c.result(v, maxDepth); refused != nil {
			return nil, refused.in("result " + strconv.Itoa(i+1))
		}
	}
	return values, nil
}

func (c *conversion) result(v glua.LValue, depth int) (any, *ValueError) {
	if err := c.take(depth); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *glua.LNilType:
		return nil, nil
	case glua.LBool:
		return bool(v), nil
	case glua.LNumber:
		return float64(v), nil
	case glua.LString:
		return string(v), nil
	case *glua.LTable:
		return c.table(v, depth)
	}
	return v, nil
}

// table copies a table to the narrowest type that holds its keys.
func (c *conversion) table(t *glua.LTable, depth int) (any, *ValueError) {
	switch n := keysOf(t); {
	case n.all > 0 && n.inList == n.all:
		list := make([]any, n.all)
		err := c.entries(t, depth, func(key, value any) { list[int(key.(float64))-1] = value })
		return list, err
	case n.strings == n.all:
		fields := make(map[string]any, n.all)
		err := c.entries(t, depth, func(key, value any) { fields[key.(string)] = value })
		return fields, err
	default:
		entries := make(map[any]any, n.all)
		err := c.entries(t, depth, func(key, value any) { entries[key] = value })
		return entries, err
	}
}

// keys counts the keys of a table.
type keys struct{ all, strings, inList int }

// keysOf counts; a key counts as one in a list if it is a whole number from 1 to the number of all.
func keysOf(t *glua.LTable) (n keys) {
	for k := range pairs(t) {
		n.all++
		if k.Type() == glua.LTString {
			n.strings++
		}
	}
	for k := range pairs(t) {
		if i, ok := k.(glua.LNumber); ok && i == glua.LNumber(int(i)) && 1 <= i && int(i) <= n.all {
			n.inList++
		}
	}
	return n
}

// entries calls add for each entry, with a key that is a bool, a float64 or a string.
func (c *conversion) entries(t *glua.LTable, depth int, add func(key, value any)) *ValueError {
	for k, v := range pairs(t) {
		var key any
		switch k := k.(type) {
		case glua.LBool:
			key = bool(k)
		case glua.LNumber:
			key = float64(k)
		case glua.LString:
			key = string(k)
		default:
			return notPassed("a %s is a key of the table; keys are booleans, numbers and strings", typeName(k))
		}
		value, err := c.result(v, depth-1)
		if err != nil {
			return err.in(placeOf(key))
		}
		add(key, value)
	}
	return nil
}

func placeOf(key any) string {
	if n, ok := key.(float64); ok {
		return "[" + glua.LNumber(n).String() + "]"
	}
	return fmt.Sprintf("[%#v]", key)
}
