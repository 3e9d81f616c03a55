package live

// seen is a set of addresses. Objects are at least 16 bytes apart.
type seen struct {
	regions map[uintptr]*region
	last    *region // of the address that was looked up last
	at      uintptr
	spare   []region
}

// region is the addresses of one page of Go's heap.
type region struct {
	objects [pageSize / granule / 64]uint64
	blocks  uint32 // of numbers
}

const (
	pageSize    = 8 << 10
	granule     = 16
	numberBlock = 32 * 8 // which gopher-lua's allocator takes at a time, and Go aligns
)

func (s *seen) region(address uintptr) *region {
	page := address / pageSize
	if s.last != nil && page == s.at {
		return s.last
	}
	r := s.regions[page]
	if r == nil {
		if len(s.spare) == 0 {
			s.spare = make([]region, 32)
		}
		r, s.spare = &s.spare[0], s.spare[1:]
		if s.regions == nil {
			s.regions = make(map[uintptr]*region)
		}
		s.regions[page] = r
	}
	s.last, s.at = r, page
	return r
}

// add returns whether the object was not in the set.
func (s *seen) add(address uintptr) bool {
	bit := address % pageSize / granule
	word, mask := &s.region(address).objects[bit/64], uint64(1)<<(bit%64)
	if *word&mask != 0 {
		return false
	}
	*word |= mask
	return true
}

// addBlock returns whether the block of numbers was not in the set.
func (s *seen) addBlock(address uintptr) bool {
	r, mask := s.region(address), uint32(1)<<(address%pageSize/numberBlock)
	if r.blocks&mask != 0 {
		return false
	}
	r.blocks |= mask
	return true
}
