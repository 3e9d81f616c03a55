package vm

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// interpret executes a fiber until its slice ends with Machine.out; where the fiber yields or
// waits for a channel, it continues with the next one. It returns the last one, nil if no fiber
// is ready. It is one function, and no local that every instruction needs is live across a call:
// after each call it reloads from the frame, so that all locals stay in registers (0055, 0058).
func (m *Machine) interpret(st *State) *State {
	var how step
reload:
	fr := st.top()
known:
	n, r := window(st.num, fr.nb, fr.fn.N), window(st.ref, fr.rb, fr.fn.R)
	ins, pc := fr.fn.Code, int(fr.pc)
	for ; ; pc++ {
		in := &ins[pc]
		switch in.Op {
		case code.Nop:
		case code.MovN:
			n[in.A] = n[in.B]
		case code.MovR:
			r[in.A] = r[in.B]
		case code.MovNs:
			if in.C != 3 {
				goto cold
			}
			a, b := int(in.A), int(in.B) // of a slice
			n[a], n[a+1], n[a+2] = n[b], n[b+1], n[b+2]
		case code.LoadI:
			n[in.A] = uint64(int64(in.D))
		case code.LoadK:
			n[in.A] = st.top().fn.K[in.D]
		case code.LoadS:
			r[in.A] = m.prog.Strings[in.D]
		case code.ZeroR:
			if in.C != 1 {
				goto cold
			}
			r[in.A] = nil
		case code.Add:
			n[in.A] = n[in.B] + n[in.C]
		case code.Sub:
			n[in.A] = n[in.B] - n[in.C]
		case code.Mul:
			n[in.A] = n[in.B] * n[in.C]
		case code.Div:
			if n[in.C] == 0 {
				goto faulted
			}
			n[in.A] = uint64(int64(n[in.B]) / int64(n[in.C]))
		case code.Rem:
			if n[in.C] == 0 {
				goto faulted
			}
			n[in.A] = uint64(int64(n[in.B]) % int64(n[in.C]))
		case code.And:
			n[in.A] = n[in.B] & n[in.C]
		case code.Or:
			n[in.A] = n[in.B] | n[in.C]
		case code.Xor:
			n[in.A] = n[in.B] ^ n[in.C]
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
		case code.Sext32:
			n[in.A] = uint64(int64(int32(n[in.B])))
		case code.Zext8:
			n[in.A] = uint64(uint8(n[in.B]))
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
		case code.SqrtF:
			n[in.A] = math.Float64bits(math.Sqrt(math.Float64frombits(n[in.B])))
		case code.ItoF:
			if in.D != 0 {
				goto cold
			}
			n[in.A] = math.Float64bits(float64(int64(n[in.B])))
		case code.Eq:
			n[in.A] = word(n[in.B] == n[in.C])
		case code.LtI:
			n[in.A] = word(int64(n[in.B]) < int64(n[in.C]))
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
		case code.JEqF:
			if math.Float64frombits(n[in.A]) == math.Float64frombits(n[in.B]) {
				goto taken
			}
		case code.JNeF:
			if math.Float64frombits(n[in.A]) != math.Float64frombits(n[in.B]) {
				goto taken
			}
		case code.JLtF:
			if math.Float64frombits(n[in.A]) < math.Float64frombits(n[in.B]) {
				goto taken
			}
		case code.JLeF:
			if math.Float64frombits(n[in.A]) <= math.Float64frombits(n[in.B]) {
				goto taken
			}
		case code.JNLtF:
			if !(math.Float64frombits(n[in.A]) < math.Float64frombits(n[in.B])) {
				goto taken
			}
		case code.JNLeF:
			if !(math.Float64frombits(n[in.A]) <= math.Float64frombits(n[in.B])) {
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
				goto faulted
			}
			n[in.A] = o.N[in.D]
		case code.LoadR:
			o, ok := r[in.B].(*value.Object)
			if !ok {
				goto faulted
			}
			r[in.A] = o.R[in.D]
		case code.StoreN:
			o, ok := r[in.A].(*value.Object)
			if !ok {
				goto faulted
			}
			o.N[in.D] = n[in.B]
		case code.StoreR:
			o, ok := r[in.A].(*value.Object)
			if !ok {
				goto faulted
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
				goto faulted
			}
			n[in.A] = r[in.C].(*value.Object).N[n[in.B]+i]
		case code.IdxR:
			i := n[in.D]
			if i >= n[in.B+1] {
				goto faulted
			}
			r[in.A] = r[in.C].(*value.Object).R[n[in.B]+i]
		case code.SetN:
			i := n[in.D]
			if i >= n[in.B+1] {
				goto faulted
			}
			r[in.C].(*value.Object).N[n[in.B]+i] = n[in.A]
		case code.SetR:
			i := n[in.D]
			if i >= n[in.B+1] {
				goto faulted
			}
			r[in.C].(*value.Object).R[n[in.B]+i] = r[in.A]
		case code.IdxOff:
			i := n[in.C]
			if i >= n[in.B+1] {
				goto faulted
			}
			n[in.A] = n[in.B] + i
		case code.ArrOff:
			i := n[in.B]
			if i >= uint64(in.D) {
				goto faulted
			}
			n[in.A] = i
		case code.ElemN:
			o, ok := r[in.C].(*value.Object)
			if !ok {
				goto faulted
			}
			n[in.A] = o.N[n[in.B]*uint64(in.D>>16)+uint64(in.D&0xffff)]
		case code.SElemN:
			o, ok := r[in.C].(*value.Object)
			if !ok {
				goto faulted
			}
			o.N[n[in.B]*uint64(in.D>>16)+uint64(in.D&0xffff)] = n[in.A]
		case code.IdxStr:
			s, _ := r[in.B].(string)
			i := n[in.C]
			if i >= uint64(len(s)) {
				goto faulted
			}
			n[in.A] = uint64(s[i])
		case code.LenStr:
			n[in.A] = uint64(len(value.Str(r[in.B])))
		case code.Call:
			fn, last := m.prog.Funcs[in.D], len(st.frames)-1
			fr := &st.frames[last]
			fr.pc = int32(pc) + 1
			nb, rb := int(fr.nb)+int(in.A), int(fr.rb)+int(in.B)
			if last+1 < cap(st.frames) && nb+fn.N <= len(st.num) && rb+fn.R <= len(st.ref) {
				st.frames = st.frames[:last+2]
				st.frames[last+1] = frame{fn: fn, nb: int32(nb), rb: int32(rb)}
				ins, pc, n, r = fn.Code, -1, st.num[nb:nb+fn.N], st.ref[rb:rb+fn.R]
				if m.budget--; m.budget < 0 {
					goto expired
				}
				continue
			}
			how = m.pushed(st, fn, nb, rb)
			goto on
		case code.RetN:
			n[0] = n[in.A]
			fallthrough
		case code.Ret:
			last := len(st.frames) - 1
			st.frames = st.frames[:last]
			if last == 0 {
				m.out = fiber.Done
				return st
			}
			fr = &st.frames[last-1]
			goto known
		case code.Send:
			fr = st.top()
			fr.pc = int32(pc) + 1
			how = m.sendWord(st, fr, in)
			goto on
		case code.Recv:
			fr = st.top()
			fr.pc = int32(pc) + 1
			how = m.recvWord(st, fr, in)
			goto on
		case code.Yield:
			st.top().pc = int32(pc) + 1
			if m.trial {
				goto cold
			}
			m.sched.YieldCurrent()
			goto turn
		default:
			goto cold
		}
		continue
	taken:
		pc += int(in.D)
		if in.D < 0 {
			if m.budget--; m.budget < 0 {
				goto expired
			}
		}
	}
cold:
	st.top().pc = int32(pc) + 1
	how = m.cold(st)
on:
	switch how {
	case next:
		if m.budget >= -maxDebt {
			goto reload
		}
		return m.expire(st)
	case leaveSlice:
		return st
	case parked:
		goto turn
	} // called
	if m.budget--; m.budget >= 0 {
		goto reload
	}
	return m.expire(st)
turn:
	if f := m.sched.ScheduleNext(); f != nil {
		st = &f.Data
	} else if st = m.nextBatch(); st == nil {
		return nil
	}
	if (!m.grant() || st.waits != none || m.halted) && m.beginOtherwise(st) == leaveSlice {
		return st
	}
	if fr = st.top(); m.putOff(fr.fn) {
		return st
	}
	goto known
expired:
	st.top().pc = int32(pc) + 1
	return m.expire(st)
faulted:
	st.top().pc = int32(pc) + 1
	if m.failed(st) != leaveSlice {
		goto reload
	}
	return st
}
