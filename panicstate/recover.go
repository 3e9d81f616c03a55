package panicstate

// Recover is the guest's recover, called by the code of a frame. It gives the value
// of the panic and ends it as soon as the deferred call returns, if
//   - the frame is that of the innermost deferred call itself, not of a helper it
//     called (or is called by),
//   - that call is run by the unwind of the panic, not by a frame that returns,
//   - the call was registered before the panic was raised (generation),
//   - the panic is Recoverable and was not recovered already.
//
// Otherwise it is false and nothing changes. Guest code may ask at any time.
func (s *State) Recover(frame int) (value any, ok bool) {
	if floor, _ := s.floor(); s.Phase() != InDefer || frame != floor {
		return nil, false
	}
	u := &s.unwinds[len(s.unwinds)-1]
	if u.Kind != Recoverable || u.recovered || u.Generation <= s.running[len(s.running)-1].generation {
		return nil, false
	}
	u.recovered = true
	return u.Value, true
}
