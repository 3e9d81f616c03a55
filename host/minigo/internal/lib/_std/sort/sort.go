// Package sort is what minigo has of Go's.
package sort

type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

func Sort(data Interface) { quick(data, 0, data.Len()) }

// small is up to where an insertion sort is used.
const small = 12

// quick sorts data[lo:hi].
func quick(data Interface, lo, hi int) {
	for depth := 0; hi-lo > small; depth++ {
		if depth > 60 {
			heap(data, lo, hi)
			return
		}
		p := partition(data, lo, hi)
		if p-lo < hi-p-1 {
			quick(data, lo, p)
			lo = p + 1
		} else {
			quick(data, p+1, hi)
			hi = p
		}
	}
	insertion(data, lo, hi)
}

func insertion(data Interface, lo, hi int) {
	for i := lo + 1; i < hi; i++ {
		for j := i; j > lo && data.Less(j, j-1); j-- {
			data.Swap(j, j-1)
		}
	}
}

// partition brings the median of three to its place and gives that.
func partition(data Interface, lo, hi int) int {
	mid, last := int(uint(lo+hi)>>1), hi-1
	if data.Less(mid, lo) {
		data.Swap(mid, lo)
	}
	if data.Less(last, lo) {
		data.Swap(last, lo)
	}
	if data.Less(last, mid) {
		data.Swap(last, mid)
	}
	data.Swap(lo, mid)
	i, j := lo+1, last
	for {
		for i <= j && data.Less(i, lo) {
			i++
		}
		for i <= j && data.Less(lo, j) {
			j--
		}
		if i >= j {
			break
		}
		data.Swap(i, j)
		i++
		j--
	}
	data.Swap(lo, j)
	return j
}

func heap(data Interface, lo, hi int) {
	n := hi - lo
	for i := n/2 - 1; i >= 0; i-- {
		sink(data, lo, i, n)
	}
	for i := n - 1; i > 0; i-- {
		data.Swap(lo, lo+i)
		sink(data, lo, 0, i)
	}
}

func sink(data Interface, lo, i, n int) {
	for {
		child := 2*i + 1
		if child >= n {
			return
		}
		if child+1 < n && data.Less(lo+child, lo+child+1) {
			child++
		}
		if !data.Less(lo+i, lo+child) {
			return
		}
		data.Swap(lo+i, lo+child)
		i = child
	}
}

// Stable merges sorted runs in place.
func Stable(data Interface) {
	n, block := data.Len(), 20
	for lo := 0; lo < n; lo += block {
		insertion(data, lo, min(lo+block, n))
	}
	for ; block < n; block *= 2 {
		for lo := 0; lo+block < n; lo += 2 * block {
			merge(data, lo, lo+block, min(lo+2*block, n))
		}
	}
}

// merge merges data[a:m] and data[m:b].
func merge(data Interface, a, m, b int) {
	if a >= m || m >= b || !data.Less(m, m-1) {
		return
	}
	if b-a == 2 {
		data.Swap(a, m)
		return
	}
	var p, q int // data[p:m] and data[m:q] change places
	if m-a > b-m {
		p = a + (m-a)/2
		q = m + Search(b-m, func(i int) bool { return !data.Less(m+i, p) })
	} else {
		q = m + (b-m)/2
		p = a + Search(m-a, func(i int) bool { return data.Less(q, a+i) })
		q++
	}
	rotate(data, p, m, q)
	mid := p + q - m
	if m-a > b-m {
		merge(data, a, p, mid)
		merge(data, mid+1, q, b)
		return
	}
	merge(data, a, p, mid-1)
	merge(data, mid, q, b)
}

// rotate exchanges the neighbours data[a:m] and data[m:b].
func rotate(data Interface, a, m, b int) {
	reverse(data, a, m)
	reverse(data, m, b)
	reverse(data, a, b)
}

func reverse(data Interface, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		data.Swap(a, b)
	}
}

func IsSorted(data Interface) bool {
	for i := data.Len() - 1; i > 0; i-- {
		if data.Less(i, i-1) {
			return false
		}
	}
	return true
}

type reversed struct{ Interface }

func (r reversed) Less(i, j int) bool { return r.Interface.Less(j, i) }

func Reverse(data Interface) Interface { return &reversed{data} }

func Search(n int, f func(int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if !f(mid) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func Find(n int, cmp func(int) int) (i int, found bool) {
	i = Search(n, func(i int) bool { return cmp(i) <= 0 })
	return i, i < n && cmp(i) == 0
}
