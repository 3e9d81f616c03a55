package value

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// hasher hashes one value.
type hasher struct {
	*Walk
	sum     maphash.Hash
	seed    maphash.Seed
	unequal bool // the value contains a NaN
}

// hash hashes a value: equal values alike. unequal says that the value is not equal to itself. The
// error is *Uncomparable, ErrUnbounded or ErrLong.
func (ts Types) hash(w *Walk, seed *maphash.Seed, t *code.Type, n []uint64, r []any) (sum uint64, unequal bool, err error) {
	if *seed == (maphash.Seed{}) {
		*seed = maphash.MakeSeed()
	}
	h := hasher{Walk: w, seed: *seed}
	h.sum.SetSeed(h.seed)
	err = ts.add(&h, t, n, r)
	return h.sum.Sum64(), h.unequal, err
}

func (h *hasher) word(w uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], w)
	h.sum.Write(b[:])
}

func (h *hasher) string(s string) error {
	if err := h.text(len(s)); err != nil {
		return err
	}
	h.word(uint64(len(s)))
	h.Pace.Pieces(0, len(s), 1, func(lo, hi int) { h.sum.WriteString(s[lo:hi]) })
	return nil
}

func (h *hasher) float(f float64) {
	switch {
	case f != f:
		h.unequal = true
	case f == 0:
		f = 0 // and not its negative
	}
	h.word(math.Float64bits(f))
}

// add hashes a part of a value.
func (ts Types) add(h *hasher, t *code.Type, n []uint64, r []any) error {
	if t.Empty() {
		return nil
	}
	if err := h.enter(); err != nil {
		return err
	}
	defer h.leave()
	switch t.Kind {
	case code.Float32, code.Float64:
		h.float(math.Float64frombits(n[0]))
	case code.String:
		return h.string(Str(r[0]))
	case code.Pointer:
		if o, ok := r[0].(*Object); ok {
			h.word(maphash.Comparable(h.seed, addressOf(o)))
		}
	case code.Chan:
		h.word(maphash.Comparable(h.seed, r[0]))
	case code.Interface:
		return ts.addInterface(h, ts.Interface(n, r))
	case code.Struct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			if err := ts.add(h, f.Type, n[f.N:], r[f.R:]); err != nil {
				return err
			}
		}
	case code.Array:
		for i := range int(t.Len) {
			if err := ts.add(h, t.Elem, n[i*t.Elem.N:], r[i*t.Elem.R:]); err != nil {
				return err
			}
		}
	case code.Slice, code.Map, code.Function:
		return &Uncomparable{t, true}
	default:
		h.word(n[0])
	}
	return nil
}

func (ts Types) addInterface(h *hasher, i Interface) error {
	if i.T == nil {
		h.word(0)
		return nil
	}
	if !i.T.Comparable {
		return &Uncomparable{i.T, true}
	}
	h.word(uint64(i.T.ID))
	n, r := i.Parts(i.T)
	return ts.add(h, i.T, n, r)
}
