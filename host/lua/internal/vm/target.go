package vm

import glua "github.com/yuin/gopher-lua"

// sparseValue finds a key in the hash part of a table, or of the tables that stand in for it.
func sparseValue(L *glua.LState, of, key glua.LValue) glua.LValue {
	for range glua.MaxTableGetLoop {
		if t, ok := of.(*glua.LTable); ok {
			v := t.RawGetH(key)
			if v != glua.LNil || t.Metatable == glua.LNil || t.RawGet(key) != glua.LNil {
				return v
			}
		}
		if of = standIn(L, of, "__index"); of == nil {
			break
		}
	}
	return glua.LNil
}

// target is the table that an assignment changes; nil if it calls a function or fails.
func target(L *glua.LState, of, key glua.LValue) *glua.LTable {
	for range glua.MaxTableGetLoop {
		t, ok := of.(*glua.LTable)
		if ok && (t.Metatable == glua.LNil || t.RawGet(key) != glua.LNil || t.RawGetH(key) != glua.LNil) {
			return t
		}
		if ok && L.GetMetaField(t, "__newindex") == glua.LNil {
			return t
		}
		if of = standIn(L, of, "__newindex"); of == nil {
			return nil
		}
	}
	return nil
}

// standIn is the value that replaces another in an access, if it is not a function that is called.
func standIn(L *glua.LState, of glua.LValue, event string) glua.LValue {
	switch next := L.GetMetaField(of, event).(type) {
	case *glua.LNilType, *glua.LFunction:
		return nil
	default:
		return next
	}
}
