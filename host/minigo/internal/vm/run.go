package vm

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// run executes a fiber until its slice ends. It is one function so that what it needs for
// every instruction stays in the processor's registers.
func (m *Machine) run(st *State) fiber.Outcome {
	m.budget = m.sched.Budget()
	if st.waits {
		st.waits = false
		if m.finish(st) == leaveSlice {
			return m.out
		}
	}
reload:
	ins, pc, n, r := st.window()
	for {
		in := &ins[pc]
		pc++
		switch in.Op {
		case code.MovN:
			n[in.A] = n[in.B]
		case code.MovR:
			r[in.A] = r[in.B]
		case code.MovNs:
			copy(n[in.A:in.A+in.C], n[in.B:in.B+in.C])
		case code.MovRs:
			copy(r[in.A:in.A+in.C], r[in.B:in.B+in.C])
		case code.LoadI:
			n[in.A] = uint64(int64(in.D))
		case code.LoadK:
			n[in.A] = st.top().fn.K[in.D]
		case code.LoadS:
			r[in.A] = m.prog.Strings[in.D]
		case code.ZeroN:
			clear(n[in.A : in.A+in.C])
		case code.ZeroR:
			clear(r[in.A : in.A+in.C])
		case code.Add:
			n[in.A] = n[in.B] + n[in.C]
		case code.Sub:
			n[in.A] = n[in.B] - n[in.C]
		case code.Mul:
			n[in.A] = n[in.B] * n[in.C]
		case code.Div:
			if n[in.C] == 0 {
				goto byZero
			}
			n[in.A] = uint64(int64(n[in.B]) / int64(n[in.C]))
		case code.Rem:
			if n[in.C] == 0 {
				goto byZero
			}
			n[in.A] = uint64(int64(n[in.B]) % int64(n[in.C]))
		case code.DivU:
			if n[in.C] == 0 {
				goto byZero
			}
			n[in.A] = n[in.B] / n[in.C]
		case code.RemU:
			if n[in.C] == 0 {
				goto byZero
			}
			n[in.A] = n[in.B] % n[in.C]
		case code.And:
			n[in.A] = n[in.B] & n[in.C]
		case code.Or:
			n[in.A] = n[in.B] | n[in.C]
		case code.Xor:
			n[in.A] = n[in.B] ^ n[in.C]
		case code.AndNot:
			n[in.A] = n[in.B] &^ n[in.C]
		case code.Shl:
			n[in.A] = n[in.B] << n[in.C]
		case code.ShrS:
			n[in.A] = uint64(int64(n[in.B]) >> n[in.C])
		case code.ShrU:
			n[in.A] = n[in.B] >> n[in.C]
		case code.AddK:
			n[in.A] = n[in.B] + uint64(int64(in.D))
		case code.MulK:
			n[in.A] = n[in.B] * uint64(int64(in.D))
		case code.DivK:
			n[in.A] = uint64(int64(n[in.B]) / int64(in.D))
		case code.RemK:
			n[in.A] = uint64(int64(n[in.B]) % int64(in.D))
		case code.AndK:
			n[in.A] = n[in.B] & uint64(int64(in.D))
		case code.ShlK:
			n[in.A] = n[in.B] << uint32(in.D)
		case code.ShrSK:
			n[in.A] = uint64(int64(n[in.B]) >> uint32(in.D))
		case code.ShrUK:
			n[in.A] = n[in.B] >> uint32(in.D)
		case code.Neg:
			n[in.A] = -n[in.B]
		case code.Not:
			n[in.A] = ^n[in.B]
		case code.Flip:
			n[in.A] = n[in.B] ^ 1
		case code.Sext8:
			n[in.A] = uint64(int64(int8(n[in.B])))
		case code.Sext16:
			n[in.A] = uint64(int64(int16(n[in.B])))
		case code.Sext32:
			n[in.A] = uint64(int64(int32(n[in.B])))
		case code.Zext8:
			n[in.A] = uint64(uint8(n[in.B]))
		case code.Zext16:
			n[in.A] = uint64(uint16(n[in.B]))
		case code.Zext32:
			n[in.A] = uint64(uint32(n[in.B]))
		case code.AddF:
			n[in.A] = math.Float64bits(math.Float64frombits(n[in.B]) + math.Float64frombits(n[in.C]))
		case code.SubF:
			n[in.A] = math.Float64bits(math.Float64frombits(n[in.B]) - math.Float64frombits(n[in.C]))
		case code.MulF:
			n[in.A] = math.Float64bits(math.Float64frombits(n[in.B]) * math.Float64frombits(n[in.C]))
		case code.DivF:
			n[in.A] = math.Float64bits(math.Float64frombits(n[in.B]) / math.Float64frombits(n[in.C]))
		case code.Eq:
			n[in.A] = word(n[in.B] == n[in.C])
		case code.Ne:
			n[in.A] = word(n[in.B] != n[in.C])
		case code.LtI:
			n[in.A] = word(int64(n[in.B]) < int64(n[in.C]))
		case code.LeI:
			n[in.A] = word(int64(n[in.B]) <= int64(n[in.C]))
		case code.LtU:
			n[in.A] = word(n[in.B] < n[in.C])
		case code.LeU:
			n[in.A] = word(n[in.B] <= n[in.C])

		case code.Jmp:
			goto taken
		case code.JT:
			if n[in.A] != 0 {
				goto taken
			}
		case code.JF:
			if n[in.A] == 0 {
				goto taken
			}
		case code.JEq:
			if n[in.A] == n[in.B] {
				goto taken
			}
		case code.JNe:
			if n[in.A] != n[in.B] {
				goto taken
			}
		case code.JLt:
			if int64(n[in.A]) < int64(n[in.B]) {
				goto taken
			}
		case code.JLe:
			if int64(n[in.A]) <= int64(n[in.B]) {
				goto taken
			}
		case code.JLtU:
			if n[in.A] < n[in.B] {
				goto taken
			}
		case code.JLeU:
			if n[in.A] <= n[in.B] {
				goto taken
			}
		case code.JEqF, code.JNeF, code.JLtF, code.JLeF, code.JNLtF, code.JNLeF:
			if floatHolds(in.Op, math.Float64frombits(n[in.A]), math.Float64frombits(n[in.B])) {
				goto taken
			}
		case code.JEqK:
			if n[in.A] == uint64(int64(int16(in.C))) {
				goto taken
			}
		case code.JNeK:
			if n[in.A] != uint64(int64(int16(in.C))) {
				goto taken
			}
		case code.JLtK:
			if int64(n[in.A]) < int64(int16(in.C)) {
				goto taken
			}
		case code.JLeK:
			if int64(n[in.A]) <= int64(int16(in.C)) {
				goto taken
			}
		case code.JGtK:
			if int64(n[in.A]) > int64(int16(in.C)) {
				goto taken
			}
		case code.JGeK:
			if int64(n[in.A]) >= int64(int16(in.C)) {
				goto taken
			}
		case code.JNil:
			if r[in.A] == nil {
				goto taken
			}
		case code.JSet:
			if r[in.A] != nil {
				goto taken
			}

		case code.LoadN:
			o, ok := r[in.B].(*value.Object)
			if !ok {
				goto isNil
			}
			n[in.A] = o.N[in.D]
		case code.LoadR:
			o, ok := r[in.B].(*value.Object)
			if !ok {
				goto isNil
			}
			r[in.A] = o.R[in.D]
		case code.StoreN:
			o, ok := r[in.A].(*value.Object)
			if !ok {
				goto isNil
			}
			o.N[in.D] = n[in.B]
		case code.StoreR:
			o, ok := r[in.A].(*value.Object)
			if !ok {
				goto isNil
			}
			o.R[in.D] = r[in.B]
		case code.LoadGN:
			n[in.A] = m.globals[in.D].N[0]
		case code.LoadGR:
			r[in.A] = m.globals[in.D].R[0]
		case code.StoreGN:
			m.globals[in.D].N[0] = n[in.A]
		case code.StoreGR:
			m.globals[in.D].R[0] = r[in.A]
		case code.GPtr:
			r[in.A] = m.globals[in.D]
		case code.Capt:
			r[in.A] = r[in.B].(*value.Closure).Caps[in.D]

		case code.IdxN:
			i := n[in.D]
			if i >= n[in.B+1] {
				m.index, m.length = i, n[in.B+1]
				goto outside
			}
			n[in.A] = r[in.C].(*value.Object).N[n[in.B]+i]
		case code.IdxR:
			i := n[in.D]
			if i >= n[in.B+1] {
				m.index, m.length = i, n[in.B+1]
				goto outside
			}
			r[in.A] = r[in.C].(*value.Object).R[n[in.B]+i]
		case code.SetN:
			i := n[in.D]
			if i >= n[in.B+1] {
				m.index, m.length = i, n[in.B+1]
				goto outside
			}
			r[in.C].(*value.Object).N[n[in.B]+i] = n[in.A]
		case code.SetR:
			i := n[in.D]
			if i >= n[in.B+1] {
				m.index, m.length = i, n[in.B+1]
				goto outside
			}
			r[in.C].(*value.Object).R[n[in.B]+i] = r[in.A]
		case code.IdxOff:
			i := n[in.C]
			if i >= n[in.B+1] {
				m.index, m.length = i, n[in.B+1]
				goto outside
			}
			n[in.A] = n[in.B] + i
		case code.ArrOff:
			i := n[in.B]
			if i >= uint64(in.D) {
				m.index, m.length = i, uint64(in.D)
				goto outside
			}
			n[in.A] = i
		case code.ElemN:
			o, ok := r[in.C].(*value.Object)
			if !ok {
				goto isNil
			}
			n[in.A] = o.N[n[in.B]*uint64(in.D>>16)+uint64(in.D&0xffff)]
		case code.SElemN:
			o, ok := r[in.C].(*value.Object)
			if !ok {
				goto isNil
			}
			o.N[n[in.B]*uint64(in.D>>16)+uint64(in.D&0xffff)] = n[in.A]
		case code.IdxStr:
			s, _ := r[in.B].(string)
			i := n[in.C]
			if i >= uint64(len(s)) {
				m.index, m.length = i, uint64(len(s))
				goto outside
			}
			n[in.A] = uint64(s[i])
		case code.LenStr:
			s, _ := r[in.B].(string)
			n[in.A] = uint64(len(s))

		case code.Call:
			last := len(st.frames) - 1
			fr := &st.frames[last]
			fr.pc = int32(pc)
			fn := m.prog.Funcs[in.D]
			nb, rb := int(fr.nb)+int(in.A), int(fr.rb)+int(in.B)
			if last+1 < cap(st.frames) && nb+fn.N <= len(st.num) && rb+fn.R <= len(st.ref) {
				st.frames = st.frames[:last+2]
				st.frames[last+1] = frame{fn: fn, nb: int32(nb), rb: int32(rb)}
				ins, pc, n, r = fn.Code, 0, st.num[nb:nb+fn.N], st.ref[rb:rb+fn.R]
			} else {
				if !m.push(st, fn, nb, rb) {
					m.overflow(st)
					return m.out
				}
				ins, pc, n, r = st.window()
			}
			if m.budget--; m.budget < 0 {
				return fiber.Outcome{Kind: fiber.TimesliceExpired}
			}
		case code.RetN:
			n[0] = n[in.A]
			fallthrough
		case code.Ret:
			last := len(st.frames) - 1
			st.frames = st.frames[:last]
			if last == 0 {
				return fiber.Outcome{Kind: fiber.Done}
			}
			fr := &st.frames[last-1]
			fn := fr.fn
			ins, pc = fn.Code, int(fr.pc)
			n = st.num[fr.nb : int(fr.nb)+fn.N]
			r = st.ref[fr.rb : int(fr.rb)+fn.R]
		default:
			st.top().pc = int32(pc)
			switch m.cold(st, in, n, r) {
			case next:
			case jump:
				goto taken
			case called:
				if m.budget--; m.budget < 0 {
					return fiber.Outcome{Kind: fiber.TimesliceExpired}
				}
				goto reload
			case leaveSlice:
				return m.out
			}
		}
		continue
	taken:
		pc += int(in.D)
		if in.D < 0 {
			if m.budget--; m.budget < 0 {
				st.top().pc = int32(pc)
				return fiber.Outcome{Kind: fiber.TimesliceExpired}
			}
		}
	}
byZero:
	m.fault = divideByZero
	goto faulted
isNil:
	m.fault = nilPointer
	goto faulted
outside:
	m.fault = outOfRange
faulted:
	st.top().pc = int32(pc)
	if m.throw(st, m.faultOf(m.fault, m.index, m.length)) == leaveSlice {
		return m.out
	}
	goto reload
}
