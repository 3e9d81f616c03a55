// Package atomic is minigo's subset of Go's. Each function is atomic: a goroutine is preempted
// only at a call, at a backward jump and where it waits.
package atomic

func AddInt32(addr *int32, delta int32) (new int32) {
	*addr += delta
	return *addr
}

func LoadInt32(addr *int32) (val int32) { return *addr }
func StoreInt32(addr *int32, val int32) { *addr = val }

func SwapInt32(addr *int32, new int32) (old int32) {
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Int32 struct{ v int32 }

func (x *Int32) Load() int32     { return x.v }
func (x *Int32) Store(val int32) { x.v = val }

func (x *Int32) Add(delta int32) (new int32) {
	x.v += delta
	return x.v
}

func (x *Int32) Swap(new int32) (old int32) {
	old = x.v
	x.v = new
	return old
}

func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func AddInt64(addr *int64, delta int64) (new int64) {
	*addr += delta
	return *addr
}

func LoadInt64(addr *int64) (val int64) { return *addr }
func StoreInt64(addr *int64, val int64) { *addr = val }

func SwapInt64(addr *int64, new int64) (old int64) {
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Int64 struct{ v int64 }

func (x *Int64) Load() int64     { return x.v }
func (x *Int64) Store(val int64) { x.v = val }

func (x *Int64) Add(delta int64) (new int64) {
	x.v += delta
	return x.v
}

func (x *Int64) Swap(new int64) (old int64) {
	old = x.v
	x.v = new
	return old
}

func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func AddUint32(addr *uint32, delta uint32) (new uint32) {
	*addr += delta
	return *addr
}

func LoadUint32(addr *uint32) (val uint32) { return *addr }
func StoreUint32(addr *uint32, val uint32) { *addr = val }

func SwapUint32(addr *uint32, new uint32) (old uint32) {
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Uint32 struct{ v uint32 }

func (x *Uint32) Load() uint32     { return x.v }
func (x *Uint32) Store(val uint32) { x.v = val }

func (x *Uint32) Add(delta uint32) (new uint32) {
	x.v += delta
	return x.v
}

func (x *Uint32) Swap(new uint32) (old uint32) {
	old = x.v
	x.v = new
	return old
}

func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func AddUint64(addr *uint64, delta uint64) (new uint64) {
	*addr += delta
	return *addr
}

func LoadUint64(addr *uint64) (val uint64) { return *addr }
func StoreUint64(addr *uint64, val uint64) { *addr = val }

func SwapUint64(addr *uint64, new uint64) (old uint64) {
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64     { return x.v }
func (x *Uint64) Store(val uint64) { x.v = val }

func (x *Uint64) Add(delta uint64) (new uint64) {
	x.v += delta
	return x.v
}

func (x *Uint64) Swap(new uint64) (old uint64) {
	old = x.v
	x.v = new
	return old
}

func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

type Bool struct{ v bool }

func (x *Bool) Load() bool     { return x.v }
func (x *Bool) Store(val bool) { x.v = val }

func (x *Bool) Swap(new bool) (old bool) {
	old = x.v
	x.v = new
	return old
}

func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

type Value struct{ v any }

func sameType(x, y any) bool

func (v *Value) Load() (val any) { return v.v }

func (v *Value) Store(val any) {
	if val == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	if v.v != nil && !sameType(v.v, val) {
		panic("sync/atomic: store of inconsistently typed value into Value")
	}
	v.v = val
}
