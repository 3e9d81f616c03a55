package atomic

func AddInt32(addr *int32, delta int32) (new int32) {
	point()
	*addr += delta
	return *addr
}

func AndInt32(addr *int32, mask int32) (old int32) {
	point()
	old = *addr
	*addr &= mask
	return old
}

func OrInt32(addr *int32, mask int32) (old int32) {
	point()
	old = *addr
	*addr |= mask
	return old
}

func LoadInt32(addr *int32) (val int32) {
	point()
	return *addr
}

func StoreInt32(addr *int32, val int32) {
	point()
	*addr = val
}

func SwapInt32(addr *int32, new int32) (old int32) {
	point()
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	point()
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Int32 struct{ v int32 }

func (x *Int32) Load() int32 {
	point()
	return x.v
}

func (x *Int32) Store(val int32) {
	point()
	x.v = val
}

func (x *Int32) Add(delta int32) (new int32) {
	point()
	x.v += delta
	return x.v
}

func (x *Int32) And(mask int32) (old int32) { return AndInt32(&x.v, mask) }
func (x *Int32) Or(mask int32) (old int32)  { return OrInt32(&x.v, mask) }

func (x *Int32) Swap(new int32) (old int32) {
	point()
	old = x.v
	x.v = new
	return old
}

func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func AddInt64(addr *int64, delta int64) (new int64) {
	point()
	*addr += delta
	return *addr
}

func AndInt64(addr *int64, mask int64) (old int64) {
	point()
	old = *addr
	*addr &= mask
	return old
}

func OrInt64(addr *int64, mask int64) (old int64) {
	point()
	old = *addr
	*addr |= mask
	return old
}

func LoadInt64(addr *int64) (val int64) {
	point()
	return *addr
}

func StoreInt64(addr *int64, val int64) {
	point()
	*addr = val
}

func SwapInt64(addr *int64, new int64) (old int64) {
	point()
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	point()
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Int64 struct{ v int64 }

func (x *Int64) Load() int64 {
	point()
	return x.v
}

func (x *Int64) Store(val int64) {
	point()
	x.v = val
}

func (x *Int64) Add(delta int64) (new int64) {
	point()
	x.v += delta
	return x.v
}

func (x *Int64) And(mask int64) (old int64) { return AndInt64(&x.v, mask) }
func (x *Int64) Or(mask int64) (old int64)  { return OrInt64(&x.v, mask) }

func (x *Int64) Swap(new int64) (old int64) {
	point()
	old = x.v
	x.v = new
	return old
}

func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}
