// Package small has functions of every form that the weaving must cope with.
package small

var Step = 1

func init() { Step++ }

func Twice(n int) int { return n + n }

func Sum[N ~int | ~float64](all ...N) (sum N) {
	for _, n := range all {
		sum += n
	}
	return
}

func First(a, _ int, _ ...string) int { return a + 0 }

func Three(int, string) (int, error) {
	return 3, nil
}

type Stack[V any] struct{ all []V }

func (s *Stack[V]) Push(v V) { s.all = append(s.all, v) }

func (s *Stack[_]) Len() int { return len(s.all) }

func (Stack[V]) Kind() string { return "a" + "stack" }

type Number int

func (n Number) Down(seen func(Number)) {
	if n > 0 {
		seen(n)
		(n - 1).Down(seen)
	}
}

func Calm(f func()) (calm bool) {
	defer func() { calm = recover() == nil }()
	f()
	return true
}

func Guarded(f func()) (err any) {
	defer guard(&err)
	f()
	return nil
}

func guard(err *any) {
	if *err = recover(); *err != nil {
		*err = "guarded"
	}
}

func box(n int) *int {
	b := Twice(n)*Twice(n+1) + Twice(n+2)*Twice(n+3)
	return &b
}

// Unboxed allocates nothing where box is inlined, which three of it are too large for.
func Unboxed(n int) int { return *box(n) }
