// Package host is what the functions that the host has bound are made of, and the types of Go that they use.
package host

// failure is an error of the host. There are only pointers to it, which the host makes.
type failure struct{}

func (f *failure) Error() string { return text(f) }

func (f *failure) Is(target error) bool {
	t, ok := target.(*failure)
	return ok && is(f, t)
}

func text(f *failure) string
func is(f, target *failure) bool

// Iterator is an iterator of the host.
type Iterator struct{}

// Calling is a call of a function of the host that calls functions of the program.
type Calling struct{}

// Passed is an error on its way to the host: one of its own, or the text of another and those of the host
// that it wraps.
type Passed struct {
	text  string
	whole *failure
	wraps []*failure
}

// maxWraps is how many errors are visited in one.
const maxWraps = 1000

// Pass prepares an error.
func Pass(err error) *Passed {
	if err == nil {
		return nil
	}
	if f, ok := err.(*failure); ok {
		return &Passed{whole: f}
	}
	p := &Passed{text: err.Error()}
	p.add(err, maxWraps)
	return p
}

// add adds the errors of the host in an error, and returns how many more may be visited.
func (p *Passed) add(err error, room int) int {
	for ; err != nil && room > 0; room-- {
		switch x := err.(type) {
		case *failure:
			p.wraps = append(p.wraps, x)
			return room - 1
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				room = p.add(e, room)
			}
			return room - 1
		default:
			return room - 1
		}
	}
	return room
}

// PassAny prepares a value that may be an error.
func PassAny(v any) any {
	if err, ok := v.(error); ok {
		return Pass(err)
	}
	return v
}

// PassList prepares errors.
func PassList(list []error) []*Passed {
	passed := make([]*Passed, len(list))
	for i, err := range list {
		passed[i] = Pass(err)
	}
	return passed
}

// PassAnys prepares values that may be errors.
func PassAnys(list []any) []any {
	passed := make([]any, len(list))
	for i, v := range list {
		passed[i] = PassAny(v)
	}
	return passed
}
