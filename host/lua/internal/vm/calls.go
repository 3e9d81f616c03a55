//go:build !purego

package vm

import glua "github.com/yuin/gopher-lua"

// The usual calls and returns: of a Lua function with a fixed number of parameters by another one, where
// the frame and the registers fit what the thread has. The instructions return false for all others, and
// have done nothing then; gopher-lua's own execute those.

// enter calls a Lua function.
func (p *places) enter(L *glua.LState, inst uint32) bool {
	caller, calls, slots := *p.currentFrame(L), p.callsOf(L), p.registryOf(L)
	at := caller.LocalBase + a(inst)
	fn, ok := slots.array[at].(*glua.LFunction)
	args := b(inst) - 1
	if !ok || fn.IsG || IsVariadic(fn.Proto) || args < 0 {
		return false
	}
	frames, idx := calls.array, caller.Idx+1
	used := int(fn.Proto.NumUsedRegisters)
	first, after := at+1+min(args, int(fn.Proto.NumParameters)), at+1+max(args, used)
	if idx >= len(frames)-len(frames)/4 || idx >= len(frames) || after > len(slots.array) {
		return false
	}
	callee := &frames[idx]
	callee.Idx, callee.Fn, callee.Parent, callee.Pc = idx, fn, caller, 0
	callee.Base, callee.LocalBase, callee.ReturnBase = at, at+1, at
	callee.NArgs, callee.NRet, callee.TailCall = args, c(inst)-1, 0
	calls.sp = idx + 1
	for i := first; i < after; i++ {
		slots.array[i] = glua.LNil
	}
	slots.top = at + 1 + used
	*p.currentFrame(L) = callee
	return true
}

// leave returns to a Lua function. base is the first frame of the loop, which ends with it.
func (p *places) leave(L *glua.LState, inst uint32, base *frame) bool {
	cf, calls, slots := *p.currentFrame(L), p.callsOf(L), p.registryOf(L)
	values, wanted := b(inst)-1, cf.NRet
	if values < 0 || cf == base || cf.Idx == 0 {
		return false
	}
	if wanted < 0 {
		wanted = values
	}
	caller := &calls.array[cf.Idx-1]
	from, to := cf.LocalBase+a(inst), cf.ReturnBase
	top, end := slots.top, to+wanted
	for uv := p.firstOpen(L); uv != nil; uv = uv.next {
		if uv.index >= cf.LocalBase {
			return false
		}
	}
	if caller.Fn.IsG || end > from+values || from+values > top {
		return false
	}
	present := min(values, wanted)
	copy(slots.array[to:to+present], slots.array[from:from+present])
	for i := to + present; i < end; i++ {
		slots.array[i] = glua.LNil
	}
	if end < top {
		clear(slots.array[end:top])
	}
	slots.top = end
	calls.sp--
	*p.currentFrame(L) = caller
	return true
}

// returns is OP_RETURN.
func (m *Meter) returns(p *places) instruction {
	native := jumpTable[glua.OP_RETURN]
	return func(L *glua.LState, inst uint32, base *frame) int {
		if p.leave(L, inst, base) {
			return 0
		}
		if b(inst) == 0 {
			m.chargeOpen(L, inst)
		}
		return native(L, inst, base)
	}
}
