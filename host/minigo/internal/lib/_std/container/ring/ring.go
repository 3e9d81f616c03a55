// Package ring is what minigo has of Go's.
package ring

type Ring struct {
	next, prev *Ring
	Value      any
}

// self makes an empty ring one of one element.
func (r *Ring) self() *Ring {
	if r.next == nil {
		r.next, r.prev = r, r
	}
	return r
}

func New(n int) *Ring {
	if n <= 0 {
		return nil
	}
	r := new(Ring).self()
	for i := 1; i < n; i++ {
		r.prev.Link(new(Ring))
	}
	return r
}

func (r *Ring) Next() *Ring { return r.self().next }
func (r *Ring) Prev() *Ring { return r.self().prev }

func (r *Ring) Move(n int) *Ring {
	r.self()
	for ; n < 0; n++ {
		r = r.prev
	}
	for ; n > 0; n-- {
		r = r.next
	}
	return r
}

func (r *Ring) Link(s *Ring) *Ring {
	n := r.Next()
	if s != nil {
		p := s.Prev()
		r.next, s.prev = s, r
		n.prev, p.next = p, n
	}
	return n
}

func (r *Ring) Unlink(n int) *Ring {
	if n <= 0 {
		return nil
	}
	return r.Link(r.Move(n + 1))
}

func (r *Ring) Len() int {
	n := 0
	if r != nil {
		n = 1
		for p := r.Next(); p != r; p = p.next {
			n++
		}
	}
	return n
}

func (r *Ring) Do(f func(any)) {
	if r != nil {
		f(r.Value)
		for p := r.Next(); p != r; p = p.next {
			f(p.Value)
		}
	}
}
