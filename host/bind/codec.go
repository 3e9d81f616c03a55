package bind

import (
	"encoding"
	"reflect"
	"strconv"
	"sync"
)

// The most that one call converts, in each direction. A conversion is not preempted, and a few lists
// that contain each other several times can be very many values.
const (
	MaxValues = 1 << 20 // values, counting those inside of others
	MaxDepth  = 100     // levels of nesting; it also refuses a value that contains itself
)

// Codec converts between Go values and the Values of one engine. Any number of goroutines may use it. A
// host keeps its Codec: it remembers the struct types that it has converted.
type Codec struct {
	// Float64 is for engines whose numbers are float64s: an integer that these cannot represent is
	// refused.
	Float64 bool
	// JSON is for engines that read and write composite values as JSON: bytes inside of others are
	// base64, times are RFC 3339, durations are nanoseconds, and the keys of maps are strings. Without
	// it bytes are a Text, and times and durations are numbers of seconds.
	JSON bool
	// Nanoseconds is for engines with integers of 64 bits: times and durations are whole numbers of
	// nanoseconds. The zero time.Time is 0.
	Nanoseconds bool
	// Own makes an Own of a Go pointer or channel that is a value of the engine; nil makes none.
	Own func(v any) (Value, bool)
	// Function tells whether the value of an Own is a function of the guest, which Go functions can
	// call (Invocation.Guest); nil if there are none.
	Function func(v any) bool

	structs sync.Map // reflect.Type of a struct → []field
}

func (c *Codec) fields(t reflect.Type) []field {
	if known, ok := c.structs.Load(t); ok {
		return known.([]field)
	}
	made := fieldsOf(t)
	c.structs.Store(t, made)
	return made
}

// Arguments makes Values of the arguments of a call of a guest's function. They do not refer to the
// arguments. The error is a *ValueError.
func (c *Codec) Arguments(args []any) ([]Value, error) {
	values := make([]Value, len(args))
	e := encoder{c, MaxValues}
	for i, arg := range args {
		var err *ValueError
		if values[i], err = e.value(reflect.ValueOf(arg), MaxDepth); err != nil {
			return nil, err.in(argument(i))
		}
	}
	return values, nil
}

// Results stores the results of a guest's function in the variables that the pointers of into refer to:
// one for each. A result that is absent is nil. The error is a *ValueError, or a *TypeError for a
// variable that no result can be stored in.
func (c *Codec) Results(results []Value, into []any) error {
	if len(results) > len(into) {
		return refused("the function returned %d results, want %d", len(results), len(into)).in(result(len(into)))
	}
	d := decoder{Codec: c, room: MaxValues}
	for i, to := range into {
		v := reflect.ValueOf(to)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			return &TypeError{Place: result(i), Type: reflect.TypeOf(to), Reason: "want a pointer to a variable"}
		}
		if err := checkVariable(v.Type().Elem(), result(i)); err != nil {
			return err
		}
		var from Value
		if i < len(results) {
			from = results[i]
		}
		if err := d.into(v.Elem(), from, MaxDepth); err != nil {
			return err.in(result(i))
		}
	}
	return nil
}

// Any makes Go values of results whose types are not known: nil, bool, float64, string, []any,
// map[string]any (also for an empty table), map[any]any, error, and an Own as the engine has it. The
// error is a *ValueError.
func (c *Codec) Any(results []Value) ([]any, error) {
	values := make([]any, len(results))
	d := decoder{Codec: c, room: MaxValues}
	for i, v := range results {
		var err *ValueError
		if values[i], err = d.plain(v, MaxDepth); err != nil {
			return nil, err.in(result(i))
		}
	}
	return values, nil
}

// Detach copies results so that they do not refer to the engine, except those of kind Own. The error is
// a *ValueError.
func (c *Codec) Detach(results []Value) ([]Value, error) {
	d := decoder{Codec: c, room: MaxValues}
	values := make([]Value, len(results))
	for i, v := range results {
		var err *ValueError
		if values[i], err = d.detach(v, MaxDepth); err != nil {
			return nil, err.in(result(i))
		}
	}
	return values, nil
}

func argument(i int) string { return "argument " + strconv.Itoa(i+1) }
func result(i int) string   { return "result " + strconv.Itoa(i+1) }

// take counts a value that is nested at most depth deeper.
func take(room *int, depth int) *ValueError {
	if *room--; *room < 0 {
		return refused("more than %d values at once; a value that is in several places counts for each", MaxValues)
	}
	if depth < 0 {
		return refused("values nested more than %d deep, perhaps in themselves", MaxDepth)
	}
	return nil
}

type textType interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// IsText returns whether values of a type pass as a Text by a Codec with JSON.
func IsText(t reflect.Type) bool {
	bytes := (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem() == reflect.TypeFor[byte]()
	return bytes || t.Kind() == reflect.String || isText(t) || t == reflect.TypeFor[error]()
}

// HasText returns whether values of a type pass as a Text by their own methods.
func HasText(t reflect.Type) bool { return isText(t) }

// isText returns whether values of a type pass as text, by its own methods.
func isText(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer && t.Name() != "" && reflect.PointerTo(t).Implements(reflect.TypeFor[textType]())
}
