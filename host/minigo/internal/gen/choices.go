package gen

// Choices is where programs come from; *rand.Rand is one.
type Choices interface {
	// IntN is a number from 0 to n-1. A program of noughts only is small.
	IntN(n int) int
}

// Bytes makes choices of bytes, for fuzzing; when they are used up, all choices are 0.
func Bytes(b []byte) Choices { return &bytesLeft{b} }

type bytesLeft struct{ b []byte }

func (s *bytesLeft) IntN(n int) int {
	if len(s.b) == 0 {
		return 0
	}
	x := int(s.b[0])
	s.b = s.b[1:]
	return x % n
}

// pick is one of a list that is not empty.
func pick[T any](c Choices, list ...T) T { return list[c.IntN(len(list))] }

// chance is true once in n times, and never if there is nothing left to choose from.
func chance(c Choices, n int) bool { return c.IntN(n) == n-1 }

// weighted is one of several things to do, taken as often as its weight says.
type weighted[T any] struct {
	weight int
	what   T
}

func pickWeighted[T any](c Choices, list []weighted[T]) T {
	sum := 0
	for _, w := range list {
		sum += w.weight
	}
	at := c.IntN(sum)
	for _, w := range list {
		if at -= w.weight; at < 0 {
			return w.what
		}
	}
	panic("gen: weights do not add up")
}
