package channel

import "slices"

// Step performs an action in place. False: it is not enabled, and s is as it was.
func (c Config) Step(s *State, a Action) (Answer, bool) {
	if !c.Can(s, a) {
		return AnswerRefused, false
	}
	return c.do(s, a), true
}

// Can tells whether s enables a.
func (c Config) Can(s *State, a Action) bool {
	f := &s.Fibers[a.Fiber]
	switch a.Kind {
	case Spawn:
		return f.Status == Dead
	case Send, Recv:
		return f.Status == Ready
	case Wait:
		return f.Status == Ready && !c.Possible(s, a.Cases[0]) && !c.Possible(s, a.Cases[1])
	case Close:
		return !s.Channels[a.Channel].Closed
	case GiveUp:
		return f.Status == Waits
	case Claim:
		return f.Status == Woken
	}
	return f.Status != Dead
}

func (c Config) do(s *State, a Action) Answer {
	f := &s.Fibers[a.Fiber]
	switch a.Kind {
	case Spawn:
		f.Status = Ready
	case Send:
		return c.send(s, int(a.Channel))
	case Recv:
		return c.recv(s, int(a.Channel))
	case Wait:
		c.wait(s, a)
	case Close:
		c.close(s, int(a.Channel))
	case GiveUp:
		c.end(s, a.Fiber, f.Number, Quit, 0)
	case Claim:
		return claim(s, a.Fiber)
	case Kill:
		return c.kill(s, a.Fiber)
	}
	return NoAnswer
}

func (c Config) send(s *State, channel int) Answer {
	ch, room := &s.Channels[channel], c.Capacity[channel]
	if c.Bug == Overfills {
		room++
	}
	switch {
	case ch.Receivers.Len() > 0 && c.Bug != PassesReceivers:
		r := c.oldest(&ch.Receivers, ServesNewestReceiver)
		if v := s.fresh(); c.Bug == WakesUnassigned {
			ch.keep(v)
		} else {
			ch.Given[r.Fiber] = v
		}
		c.end(s, r.Fiber, r.Number, OK, r.Tag)
		return AnswerHanded
	case ch.Closed:
		return AnswerClosed
	case ch.Buffer.Len() < room:
		ch.keep(s.fresh())
		return AnswerBuffered
	}
	return AnswerFull
}

func (c Config) recv(s *State, channel int) Answer {
	ch := &s.Channels[channel]
	switch {
	case ch.Buffer.Len() > 0 && (ch.Senders.Len() == 0 || c.Bug != PassesBuffer):
		if c.Bug != KeepsReceived {
			ch.Buffer.Pop()
		}
		if ch.Senders.Len() > 0 {
			r := c.oldest(&ch.Senders, ServesNewestSender)
			if c.Bug != DropsAccepted {
				ch.keep(r.Value)
			}
			c.end(s, r.Fiber, r.Number, OK, r.Tag)
		}
		return AnswerReceived
	case ch.Senders.Len() > 0:
		r := c.oldest(&ch.Senders, ServesNewestSender)
		c.end(s, r.Fiber, r.Number, OK, r.Tag)
		return AnswerReceived
	case ch.Closed:
		return AnswerClosed
	}
	return AnswerEmpty
}

// oldest takes out the fiber that has waited longest, or makes that mistake.
func (c Config) oldest(q *Queue, mistake Bug) Registration {
	if c.Bug == mistake {
		return q.Remove(q.Len() - 1)
	}
	return q.Remove(0)
}

// wait registers every case under a ticket with the smallest number that is registered
// nowhere.
func (c Config) wait(s *State, a Action) {
	f := &s.Fibers[a.Fiber]
	f.Status, f.Cases, f.Number = Waits, a.Cases, 0
	for s.registered(a.Fiber, f.Number) {
		f.Number++
	}
	for i, k := range a.Cases {
		tag := uint8(i)
		if c.Bug == RegistersBackwards && a.Cases[1] != NoCase {
			tag = 1 - tag
			k = a.Cases[tag]
		}
		switch r := (Registration{Fiber: a.Fiber, Number: f.Number, Tag: tag}); {
		case k == NoCase:
		case k.Sends():
			r.Value = s.fresh()
			s.Channels[k.Channel()].Senders.Push(r)
		default:
			s.Channels[k.Channel()].Receivers.Push(r)
		}
	}
}

func (s *State) registered(fiber, number uint8) bool {
	for _, q := range s.queues() {
		if slices.ContainsFunc(q.All(), ticket(fiber, number)) {
			return true
		}
	}
	return false
}

// ticket tells which registrations are those of a ticket.
func ticket(fiber, number uint8) func(Registration) bool {
	return func(r Registration) bool { return r.Fiber == fiber && r.Number == number }
}

func (s *State) queues() (all [2 * MaxChannels]*Queue) {
	for i := range s.Channels {
		all[2*i], all[2*i+1] = &s.Channels[i].Receivers, &s.Channels[i].Senders
	}
	return all
}

func (c Config) close(s *State, channel int) {
	ch := &s.Channels[channel]
	ch.Closed = true
	for ch.Receivers.Len() > 0 {
		r := c.oldest(&ch.Receivers, ServesNewestReceiver)
		c.end(s, r.Fiber, r.Number, Closed, r.Tag)
	}
	code := Closed
	if c.Bug == CloseIsSuccess {
		code = OK
	}
	for ch.Senders.Len() > 0 && c.Bug != CloseForgetsSenders {
		r := ch.Senders.Remove(0)
		c.end(s, r.Fiber, r.Number, code, r.Tag)
	}
	for i := range s.Fibers {
		if f := &s.Fibers[i]; c.Bug == CloseUndoesSends && f.Code == OK && f.Cases[f.Tag] == SendTo(channel) {
			f.Code = Closed
		}
	}
}

// end ends a wait, unless the ticket is not of the current one, and takes it off all its
// channels.
func (c Config) end(s *State, fiber, number uint8, how Code, tag uint8) {
	f := &s.Fibers[fiber]
	if f.Status != Waits || f.Number != number {
		return
	}
	f.Status, f.Code, f.Tag = Woken, how, tag
	if c.Bug == KeepsSiblings && how == OK || c.Bug == KeepsQuitters && how == Quit {
		return
	}
	s.withdraw(fiber, number)
}

func (s *State) withdraw(fiber, number uint8) {
	for _, q := range s.queues() {
		q.DeleteFunc(ticket(fiber, number))
	}
}

func claim(s *State, fiber uint8) Answer {
	f := s.Fibers[fiber]
	s.Fibers[fiber] = noFiber
	s.Fibers[fiber].Status = Ready
	k := f.Cases[f.Tag]
	switch {
	case f.Code == Closed:
		return AnswerClosed
	case f.Code == Quit:
		return AnswerQuit
	case k.Sends():
		return AnswerSent
	}
	s.Channels[k.Channel()].Given[fiber] = NoValue
	return AnswerReceived
}

func (c Config) kill(s *State, fiber uint8) (answer Answer) {
	f := &s.Fibers[fiber]
	if f.Status == Waits {
		s.withdraw(fiber, f.Number)
	}
	for i := range s.Channels {
		if g := &s.Channels[i].Given[fiber]; *g != NoValue && c.Bug != ForgetsLost {
			*g, answer = NoValue, AnswerLost
		}
	}
	*f = noFiber
	return answer
}
