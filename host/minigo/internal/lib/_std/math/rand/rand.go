// Package rand is what minigo has of Go's. With the same seed a Rand gives what Go's gives;
// the functions without one draw from the run's own generator (selvage run --seed).
package rand

type source struct{}

type Source interface {
	Int63() int64
	Seed(seed int64)
}

type machine struct{ s *source }

func seed(s int64) *source
func int63(s *source) int64

func (m *machine) Int63() int64      { return int63(m.s) }
func (m *machine) Seed(seed64 int64) { m.s = seed(seed64) }

func NewSource(seed64 int64) Source { return &machine{seed(seed64)} }

type Rand struct{ src Source }

func New(src Source) *Rand { return &Rand{src} }

// global has no source: nil draws from the run's generator.
var global = &Rand{&machine{}}

func (r *Rand) Seed(seed int64) { r.src.Seed(seed) }
func (r *Rand) Int63() int64    { return r.src.Int63() }
func (r *Rand) Uint32() uint32  { return uint32(r.Int63() >> 31) }
func (r *Rand) Uint64() uint64  { return uint64(r.Int63())>>31 | uint64(r.Int63())<<32 }
func (r *Rand) Int31() int32    { return int32(r.Int63() >> 32) }
func (r *Rand) Int() int        { return int(uint(r.Int63())) }

func (r *Rand) Int63n(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int63n")
	}
	if n&(n-1) == 0 {
		return r.Int63() & (n - 1)
	}
	max := int64((1 << 63) - 1 - (1<<63)%uint64(n))
	v := r.Int63()
	for v > max {
		v = r.Int63()
	}
	return v % n
}

func (r *Rand) Int31n(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int31n")
	}
	if n&(n-1) == 0 {
		return r.Int31() & (n - 1)
	}
	max := int32((1 << 31) - 1 - (1<<31)%uint32(n))
	v := r.Int31()
	for v > max {
		v = r.Int31()
	}
	return v % n
}

func (r *Rand) Intn(n int) int {
	if n <= 0 {
		panic("invalid argument to Intn")
	}
	if n <= 1<<31-1 {
		return int(r.Int31n(int32(n)))
	}
	return int(r.Int63n(int64(n)))
}

func (r *Rand) Float64() float64 {
	for {
		if f := float64(r.Int63()) / (1 << 63); f != 1 {
			return f
		}
	}
}

func (r *Rand) Float32() float32 {
	for {
		if f := float32(r.Float64()); f != 1 {
			return f
		}
	}
}

// lemire is the unbiased bounded draw of Perm and Shuffle.
func (r *Rand) lemire(n int32) int32 {
	v := r.Uint32()
	prod := uint64(v) * uint64(n)
	low := uint32(prod)
	if low < uint32(n) {
		thresh := uint32(-n) % uint32(n)
		for low < thresh {
			v = r.Uint32()
			prod = uint64(v) * uint64(n)
			low = uint32(prod)
		}
	}
	return int32(prod >> 32)
}

func (r *Rand) Perm(n int) []int {
	m := make([]int, n)
	for i := 0; i < n; i++ {
		j := r.Intn(i + 1)
		m[i] = m[j]
		m[j] = i
	}
	return m
}

func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for i := n - 1; i > 0; i-- {
		swap(i, int(r.lemire(int32(i+1))))
	}
}

func Seed(seed int64)                    { global.Seed(seed) }
func Int63() int64                       { return global.Int63() }
func Uint32() uint32                     { return global.Uint32() }
func Uint64() uint64                     { return global.Uint64() }
func Float32() float32                   { return global.Float32() }
func Int31() int32                       { return global.Int31() }
func Int() int                           { return global.Int() }
func Int63n(n int64) int64               { return global.Int63n(n) }
func Int31n(n int32) int32               { return global.Int31n(n) }
func Intn(n int) int                     { return global.Intn(n) }
func Float64() float64                   { return global.Float64() }
func Perm(n int) []int                   { return global.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { global.Shuffle(n, swap) }
