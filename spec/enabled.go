package spec

// Can tells whether s enables a: whether the machine accepts the call at all. What a
// disabled call means is the caller's matter: a contract error (Yield with a wait
// armed), a typed error (Spawn at the limit), or a call the host cannot make (the
// delivery of a ticket that is not held).
func (c Config) Can(s *State, a Action) bool {
	switch a.Kind {
	case Spawn:
		return c.canLive(s, a.Slot())
	case Next:
		return s.Current == NoSlot && s.ReadyLen > 0
	case WakeID:
		return c.canWake(s, a.Slot())
	case Deliver:
		return s.Contexts[a.A].Hands[a.B] != NotHeld
	case IoDone:
		return s.Tokens[a.A].Flying
	case Kill:
		return s.Contexts[a.A].Status != Dead
	case Cancel:
		return s.Contexts[a.A].Status != Dead && s.Grace == NoSlot
	case Expire:
		_, live := s.Earliest()
		return s.Current == NoSlot && (live || s.Grace != NoSlot)
	case Unpin:
		_, goesOn := s.Pump()
		return s.Current == NoSlot && goesOn
	case MoveOut:
		return c.mayLeave(s, a.Slot())
	case MoveIn:
		return c.canLive(s, a.Slot())
	case Recall:
		return s.Current == NoSlot && s.Fibers[a.A].Lent
	case Hold:
		return c.canHold(s, a.Slot())
	case Pick:
		return c.canPick(s, a.Slot())
	case Resume:
		return s.Fibers[a.A].Held
	case Promise:
		return !s.Promised
	case TakeBack:
		return s.Promised
	case EndRun:
		return c.canEndRun(s)
	case FailPinned:
		return len(s.Pins()) > 0 && c.Verdict(s) != NoAnswer
	}
	return s.Current != NoSlot && c.canExec(s, s.Exec(), a)
}

// canExec is Can for the actions of the executing context x, which is Running.
func (c Config) canExec(s *State, x Slot, a Action) bool {
	unarmed := s.Contexts[x].Latch == Unarmed
	root := &s.Fibers[s.Current]
	switch a.Kind {
	case Yield:
		return (unarmed || c.Bug == YieldsArmed) && (!s.barred(s.Current) || c.Bug == YieldsNested)
	case Exit:
		return unarmed && !x.IsTrampoline()
	case Release:
		return unarmed && x.IsTrampoline()
	case Acquire:
		tooDeep := root.Nests && s.pinned >= uint8(c.Pins)
		return (unarmed || c.Bug == CallsArmed) && !root.unwinds() && !tooDeep && c.canLive(s, a.Slot())
	case ArmQueue, ArmTimer, ArmOutside:
		return unarmed && s.Circulating(x) < c.Tickets && s.hasFree(a)
	case ArmIO:
		_, holds := s.TokenOf(s.Current)
		regular := !x.IsTrampoline() || c.Bug == TrampolineDoesIO
		return unarmed && holds && regular && s.Circulating(x) < c.Tickets && s.hasFree(a)
	case Disarm, Block:
		return !unarmed
	case Mask:
		return int(root.Masks) < c.Masks
	case Unmask:
		return root.masked()
	case Interrupted:
		return true
	case Tie:
		return root.Movable && !root.Tied
	case Untie:
		return root.Tied
	case Lend:
		return (unarmed || c.Bug == LendsArmed) && !root.Nests
	case YieldPinned:
		return unarmed && s.barred(s.Current)
	case IoSubmit:
		_, holds := s.TokenOf(s.Current)
		return !holds && !root.unwinds() && s.Tokens[a.A].State == Free
	}
	panic("spec: no guard for " + a.Kind.String())
}

// canLive: the slot is dead, and not retired.
func (c Config) canLive(s *State, x Slot) bool {
	return s.Contexts[x].Status == Dead && (!c.Retired(s, x) || c.Bug == Wraps)
}

// hasFree: no wait has the deadline that a would give its wait.
func (s *State) hasFree(a Action) bool {
	d, has := a.Deadline()
	return !has || s.Deadlines[d].Holder == NoSlot
}

// canWake: x is blocked on a wait of its own, not on its callee.
func (c Config) canWake(s *State, x Slot) bool {
	ctx := &s.Contexts[x]
	if c.Bug == WakesAnything && ctx.Status == Runnable {
		return true
	}
	return ctx.Status.Blocked() && ctx.Seq != NoNumber
}

// Enabled appends the enabled actions of s to dst, in the order of All.
func (c Config) Enabled(dst []Action, s *State) []Action {
	for a := range c.actions() {
		if c.Can(s, a) {
			dst = append(dst, a)
		}
	}
	return dst
}
