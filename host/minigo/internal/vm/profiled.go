package vm

import (
	"errors"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/profile"
)

// profiler takes the samples of a program. Its methods accept nil: the program is not profiled.
type profiler struct {
	m       *Machine
	to      *profile.Profile
	sampler *profile.Sampler // of the loop that runs
	frames  []profile.Frame  // of a sample
	copies  []*code.Func     // by the numbers of the functions; see sampledCopy
	close   bool             // each call and each jump back ends a stretch
	far     int              // the length of the other stretches
}

// farStretch is how many calls and jumps back a stretch has while no sample is due soon.
const farStretch = 64

// beginProfile prepares the profile of a program, whose native functions tell how long they have taken.
func (m *Machine) beginProfile() error {
	if m.cfg.Profile == nil {
		return nil
	}
	if m.watcher != nil {
		return errors.New("minigo: Config.Profile beside Races or AccessPoints: a program is either watched or profiled; leave one out")
	}
	if m.cfg.JIT == JITEager {
		return errors.New("minigo: Config.Profile beside JITEager: a program that is profiled is interpreted; leave one out")
	}
	p := &profiler{m: m, to: m.cfg.Profile, copies: make([]*code.Func, len(m.prog.Funcs))}
	m.profiler, m.cfg.JIT, p.far = p, JITOff, min(m.stretch, farStretch)
	for i, native := range m.natives {
		m.natives[i] = p.timed(native)
	}
	return nil
}

// timed is a native function. The time before the call counts to its caller.
func (p *profiler) timed(native lib.Func) lib.Func {
	return func(c *lib.Call) {
		if p.due() {
			p.take(p.m.executing(), false)
		}
		native(c)
		if p.due() {
			p.take(p.m.executing(), true)
		}
	}
}

// due returns whether a sample is to be taken here. If time has passed in a long stretch, it is not known where:
// it counts to the next sample.
func (p *profiler) due() bool {
	pending := p.sampler.Pending()
	if pending && !p.close {
		p.setClose(true)
		return false
	}
	return pending
}

func (p *profiler) setClose(on bool) {
	if p.close, p.m.stretch = on, p.far; on {
		p.m.stretch = 0
	}
}

// executing are the frames of the fiber that executes, if one does.
func (m *Machine) executing() []frame {
	id, _ := m.sched.Current().Regular()
	if f, ok := m.sched.Fiber(id); ok {
		return f.Data.frames
	}
	return nil
}

// begin says that fibers execute, and end ends that.
func (p *profiler) begin() {
	if p != nil {
		p.sampler = p.to.NewSampler()
		p.setClose(p.sampler.Soon())
		p.sampler.Begin()
	}
}

func (p *profiler) end() {
	if p != nil {
		p.sampler.Close()
	}
}

// sleep says that no fiber executes until wake.
func (p *profiler) sleep() {
	if p != nil {
		p.sampler.End()
	}
}

func (p *profiler) wake() {
	if p != nil {
		p.sampler.Begin()
	}
}

// runProfiled executes a fiber until its slice ends, and others after it, as interpret does. When a sample is due
// soon, the stretches end at each call and each jump back, where it asks for that.
func (m *Machine) runProfiled(st *State) *State {
	p := m.profiler
	for {
		st = m.interpret(st)
		ticked := st != nil && m.budget < 0
		if m.wholeBudget(); !ticked || m.budget < 0 || m.halted {
			if st != nil && p.due() {
				p.take(st.frames, true)
			}
			return st
		}
		switch due := p.sampler.Due(); {
		case due && p.close:
			p.takeTick(st)
		case due || p.sampler.Soon():
			p.setClose(true)
		}
		p.chooseCode(st)
		m.rest = m.budget - min(m.stretch, m.budget)
		m.budget -= m.rest
	}
}

// takeTick takes a sample of a fiber that has just called a function, or jumped back: of the instruction that
// did.
func (p *profiler) takeTick(st *State) {
	fr := st.top()
	behind, jumped := jumpTo(fr.fn, int(fr.pc))
	last := len(st.frames) - 1
	switch {
	case jumped: // or has called a function that begins with the loop
		p.add(st.frames, behind)
	case last > 0:
		p.add(st.frames[:last], int(st.frames[last-1].pc))
	default:
		p.add(st.frames, 1)
	}
}

// take takes a sample of frames, in the last instruction of the last one, and, if it is to be in the sample, in the
// native function that this has called.
func (p *profiler) take(frames []frame, native bool) {
	if len(frames) == 0 {
		return
	}
	fr := &frames[len(frames)-1]
	if in := p.instruction(fr.fn, int(fr.pc)-1); native && in.Op == code.Native {
		p.frames = append(p.frames, profile.Frame{Function: p.m.prog.Natives[in.D]})
	}
	p.add(frames, int(fr.pc))
}

// add adds a sample of frames, the last of which has executed the instruction before behind.
func (p *profiler) add(frames []frame, behind int) {
	last := len(frames) - 1
	for i := last; i >= 0 && len(p.frames) < profile.MaxFrames; i-- {
		f := &frames[i]
		if i < last {
			behind = int(f.pc)
		}
		if !f.fn.Wrapper && (f.fn.Index != p.m.prog.Init.Index || len(p.frames) == 0) {
			p.frames = append(p.frames, profile.Frame{
				Function: f.fn.Name, File: f.fn.File, Line: int(f.fn.Position(behind - 1)), Start: int(f.fn.Position(0)),
			})
		}
	}
	id := p.m.sched.Current()
	p.sampler.Take(profile.Fiber{ID: id.String(), Name: p.m.sched.Inspect().Name(id)}, p.frames)
	p.frames = p.frames[:0]
	p.setClose(p.sampler.Soon())
}

// instruction is one of the function as it was compiled.
func (p *profiler) instruction(fn *code.Func, pc int) (in code.Instr) {
	if all := p.m.prog.Funcs; fn.Index >= 0 && fn.Index < len(all) && pc >= 0 && pc < len(all[fn.Index].Code) {
		in = all[fn.Index].Code[pc]
	}
	return in
}

// jumpTo is behind the first instruction that jumps back to pc.
func jumpTo(fn *code.Func, pc int) (behind int, found bool) {
	for i := pc; i < len(fn.Code); i++ {
		if in := fn.Code[i]; in.Op >= code.Jmp && in.Op <= code.JSet && i+1+int(in.D) == pc {
			return i + 1, true
		}
	}
	return 0, false
}
