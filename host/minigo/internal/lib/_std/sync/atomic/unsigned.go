package atomic

func AddUint32(addr *uint32, delta uint32) (new uint32) {
	point()
	*addr += delta
	return *addr
}

func AndUint32(addr *uint32, mask uint32) (old uint32) {
	point()
	old = *addr
	*addr &= mask
	return old
}

func OrUint32(addr *uint32, mask uint32) (old uint32) {
	point()
	old = *addr
	*addr |= mask
	return old
}

func LoadUint32(addr *uint32) (val uint32) {
	point()
	return *addr
}

func StoreUint32(addr *uint32, val uint32) {
	point()
	*addr = val
}

func SwapUint32(addr *uint32, new uint32) (old uint32) {
	point()
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	point()
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Uint32 struct{ v uint32 }

func (x *Uint32) Load() uint32 {
	point()
	return x.v
}

func (x *Uint32) Store(val uint32) {
	point()
	x.v = val
}

func (x *Uint32) Add(delta uint32) (new uint32) {
	point()
	x.v += delta
	return x.v
}

func (x *Uint32) And(mask uint32) (old uint32) { return AndUint32(&x.v, mask) }
func (x *Uint32) Or(mask uint32) (old uint32)  { return OrUint32(&x.v, mask) }

func (x *Uint32) Swap(new uint32) (old uint32) {
	point()
	old = x.v
	x.v = new
	return old
}

func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func AddUint64(addr *uint64, delta uint64) (new uint64) {
	point()
	*addr += delta
	return *addr
}

func AndUint64(addr *uint64, mask uint64) (old uint64) {
	point()
	old = *addr
	*addr &= mask
	return old
}

func OrUint64(addr *uint64, mask uint64) (old uint64) {
	point()
	old = *addr
	*addr |= mask
	return old
}

func LoadUint64(addr *uint64) (val uint64) {
	point()
	return *addr
}

func StoreUint64(addr *uint64, val uint64) {
	point()
	*addr = val
}

func SwapUint64(addr *uint64, new uint64) (old uint64) {
	point()
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	point()
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64 {
	point()
	return x.v
}

func (x *Uint64) Store(val uint64) {
	point()
	x.v = val
}

func (x *Uint64) Add(delta uint64) (new uint64) {
	point()
	x.v += delta
	return x.v
}

func (x *Uint64) And(mask uint64) (old uint64) { return AndUint64(&x.v, mask) }
func (x *Uint64) Or(mask uint64) (old uint64)  { return OrUint64(&x.v, mask) }

func (x *Uint64) Swap(new uint64) (old uint64) {
	point()
	old = x.v
	x.v = new
	return old
}

func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	point()
	*addr += delta
	return *addr
}

func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	point()
	old = *addr
	*addr &= mask
	return old
}

func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	point()
	old = *addr
	*addr |= mask
	return old
}

func LoadUintptr(addr *uintptr) (val uintptr) {
	point()
	return *addr
}

func StoreUintptr(addr *uintptr, val uintptr) {
	point()
	*addr = val
}

func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	point()
	old = *addr
	*addr = new
	return old
}

func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	point()
	if *addr != old {
		return false
	}
	*addr = new
	return true
}

type Uintptr struct{ v uintptr }

func (x *Uintptr) Load() uintptr                   { return LoadUintptr(&x.v) }
func (x *Uintptr) Store(val uintptr)               { StoreUintptr(&x.v, val) }
func (x *Uintptr) Add(delta uintptr) (new uintptr) { return AddUintptr(&x.v, delta) }
func (x *Uintptr) And(mask uintptr) (old uintptr)  { return AndUintptr(&x.v, mask) }
func (x *Uintptr) Or(mask uintptr) (old uintptr)   { return OrUintptr(&x.v, mask) }
func (x *Uintptr) Swap(new uintptr) (old uintptr)  { return SwapUintptr(&x.v, new) }
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	return CompareAndSwapUintptr(&x.v, old, new)
}
