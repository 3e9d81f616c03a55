package bind

import "strconv"

// plain makes a Go value of the type that suits v best; see Codec.Any.
func (d *decoder) plain(v Value, depth int) (any, *ValueError) {
	if err := take(&d.room, depth); err != nil {
		return nil, err
	}
	switch v.kind {
	case Nil:
		return nil, nil
	case Bool:
		return v.Bool(), nil
	case Int, Uint, Float:
		f, _ := v.Number()
		if n, ok := FloatValue(f).Whole(); v.kind == Int && (!ok || n != v.Int()) {
			return nil, inexact(v)
		}
		if n, ok := FloatValue(f).Natural(); v.kind == Uint && (!ok || n != v.bits) {
			return nil, inexact(v)
		}
		return f, nil
	case Text:
		return v.text, nil
	case Sequence:
		return d.plainItems(v.Items(), depth)
	case Mapping:
		return d.plainEntries(v.Entries(), depth)
	}
	return v.ref, nil
}

func inexact(v Value) *ValueError {
	return refused("a float64 cannot represent %s exactly; use a variable of an integer type", got(v))
}

func (d *decoder) plainItems(items []Value, depth int) (any, *ValueError) {
	list := make([]any, len(items))
	for i, item := range items {
		var err *ValueError
		if list[i], err = d.plain(item, depth-1); err != nil {
			return nil, err.in("[" + strconv.Itoa(i) + "]")
		}
	}
	return list, nil
}

// plainEntries copies a Mapping to the narrowest type that holds its keys.
func (d *decoder) plainEntries(e Entries, depth int) (any, *ValueError) {
	switch n := keysOf(e); {
	case n.all > 0 && n.inList == n.all:
		list := make([]any, n.all)
		err := d.each(e, depth, func(key Value, value any) {
			i, _ := key.Whole()
			list[i-1] = value
		})
		return list, err
	case n.strings == n.all:
		fields := make(map[string]any, n.all)
		err := d.each(e, depth, func(key Value, value any) { fields[key.text] = value })
		return fields, err
	default:
		entries := make(map[any]any, n.all)
		err := d.each(e, depth, func(key Value, value any) { entries[plainKey(key)] = value })
		return entries, err
	}
}

func plainKey(key Value) any {
	if key.kind == Text {
		return key.text
	}
	if f, ok := key.Number(); ok {
		return f
	}
	return key.Bool()
}

// keys counts the keys of a Mapping.
type keys struct{ all, strings, inList int }

// keysOf counts; a key counts as one in a list if it is a whole number from 1 to the number of all.
func keysOf(e Entries) (n keys) {
	n.all = e.Len()
	for k := range e.All() {
		if k.kind == Text {
			n.strings++
		}
		if i, ok := k.Whole(); ok && 1 <= i && i <= int64(n.all) {
			n.inList++
		}
	}
	return n
}

// each calls add for each entry, with a key that is a boolean, a number or a string.
func (d *decoder) each(e Entries, depth int, add func(key Value, value any)) *ValueError {
	for k, v := range e.All() {
		if !isKey(k) {
			return refused("%s is a key of the table; keys are booleans, numbers and strings", got(k))
		}
		value, err := d.plain(v, depth-1)
		if err != nil {
			return err.in(place(k))
		}
		add(k, value)
	}
	return nil
}

func isKey(k Value) bool {
	_, number := k.Number()
	return number || k.kind == Text || k.kind == Bool
}

// detach copies a Value that refers to the engine.
func (d *decoder) detach(v Value, depth int) (Value, *ValueError) {
	if err := take(&d.room, depth); err != nil {
		return Value{}, err
	}
	switch v.kind {
	case Sequence:
		items := make([]Value, len(v.Items()))
		for i, item := range v.Items() {
			var err *ValueError
			if items[i], err = d.detach(item, depth-1); err != nil {
				return Value{}, err.in("[" + strconv.Itoa(i) + "]")
			}
		}
		return SequenceValue(items), nil
	case Mapping:
		pairs := make(Pairs, 0, min(v.Entries().Len(), d.room))
		for k, part := range v.Entries().All() {
			value, err := d.detach(part, depth-1)
			if err != nil {
				return Value{}, err.in(place(k))
			}
			pairs = append(pairs, Entry{k, value})
		}
		return MappingValue(pairs), nil
	}
	return v, nil
}
