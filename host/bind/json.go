package bind

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
)

// JSON is the Value as JSON, for an engine whose Codec has JSON set. An error is its text. The error is a
// *ValueError with the place: JSON has no NaN, no infinity, and no value of an engine.
func (v Value) JSON(place string) ([]byte, error) {
	text, err := appendJSON(nil, v)
	if err != nil {
		return nil, err.in(place)
	}
	return text, nil
}

func appendJSON(to []byte, v Value) ([]byte, *ValueError) {
	switch v.kind {
	case Nil:
		return append(to, "null"...), nil
	case Bool:
		return strconv.AppendBool(to, v.Bool()), nil
	case Int:
		return strconv.AppendInt(to, v.Int(), 10), nil
	case Uint:
		return strconv.AppendUint(to, v.bits, 10), nil
	case Float:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return strconv.AppendFloat(to, f, 'g', -1, 64), nil
		}
	case Text:
		return appendText(to, v.text), nil
	case Failure:
		return appendText(to, v.Err().Error()), nil
	case Sequence:
		return appendItems(to, v.Items())
	case Mapping:
		return appendEntries(to, v.Entries())
	}
	return nil, refused("%s has no form in JSON", got(v))
}

func appendText(to []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string has no error
	return append(to, quoted...)
}

func appendItems(to []byte, items []Value) ([]byte, *ValueError) {
	to = append(to, '[')
	for i, item := range items {
		if i > 0 {
			to = append(to, ',')
		}
		var err *ValueError
		if to, err = appendJSON(to, item); err != nil {
			return nil, err.in("[" + strconv.Itoa(i) + "]")
		}
	}
	return append(to, ']'), nil
}

func appendEntries(to []byte, e Entries) ([]byte, *ValueError) {
	to = append(to, '{')
	first := true
	for key, value := range e.All() {
		if !first {
			to = append(to, ',')
		}
		first = false
		to = append(appendText(to, key.text), ':')
		var err *ValueError
		if to, err = appendJSON(to, value); err != nil {
			return nil, err.in(place(key))
		}
	}
	return append(to, '}'), nil
}

// ParseJSON makes a Value of JSON that comes from a guest. It does not refer to the text. The error is a
// *ValueError with the place.
func ParseJSON(text []byte, place string) (Value, error) {
	p := parser{json.NewDecoder(bytes.NewReader(text)), MaxValues}
	p.UseNumber()
	v, err := p.value(MaxDepth)
	if err == nil {
		if _, end := p.Token(); !errors.Is(end, io.EOF) {
			err = refused("more than one value of JSON")
		}
	}
	if err != nil {
		return Value{}, err.in(place)
	}
	return v, nil
}

// parser makes Values of JSON. room is how many more it may make.
type parser struct {
	*json.Decoder
	room int
}

func (p *parser) value(depth int) (Value, *ValueError) {
	token, err := p.Token()
	if err != nil {
		return Value{}, refused("want JSON: %v", err)
	}
	if err := take(&p.room, depth); err != nil {
		return Value{}, err
	}
	switch token := token.(type) {
	case bool:
		return BoolValue(token), nil
	case string:
		return TextValue(token), nil
	case json.Number:
		if v := parseNumber(string(token)); v.kind != Text {
			return v, nil
		}
		return Value{}, refused("the number %.40s does not fit a float64", token)
	case json.Delim:
		if token == '[' {
			return p.items(depth)
		}
		return p.entries(depth)
	}
	return Value{}, nil // null
}

func (p *parser) items(depth int) (Value, *ValueError) {
	items := []Value{}
	for p.More() {
		item, err := p.value(depth - 1)
		if err != nil {
			return Value{}, err.in("[" + strconv.Itoa(len(items)) + "]")
		}
		items = append(items, item)
	}
	return SequenceValue(items), p.end()
}

func (p *parser) entries(depth int) (Value, *ValueError) {
	pairs := Pairs{}
	for p.More() {
		token, err := p.Token()
		if err != nil {
			return Value{}, refused("want JSON: %v", err)
		}
		name, _ := token.(string)
		key := TextValue(name)
		value, refusal := p.value(depth - 1)
		if refusal != nil {
			return Value{}, refusal.in(place(key))
		}
		pairs = append(pairs, Entry{key, value})
	}
	return MappingValue(pairs), p.end()
}

// end reads the end of a list or an object.
func (p *parser) end() *ValueError {
	if _, err := p.Token(); err != nil {
		return refused("want JSON: %v", err)
	}
	return nil
}
