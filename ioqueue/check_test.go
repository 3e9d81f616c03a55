package ioqueue

import "fmt"

// check states the invariants listed on Queue from the slots alone.
func check(q *Queue) error {
	var phases [retired + 1]int
	for _, s := range q.slots.All() {
		phases[s.phase]++
		if err := checkSlot(s); err != nil {
			return err
		}
	}
	waits := phases[awaited] + phases[attached]
	if waits != q.awaiting {
		return fmt.Errorf("%d waits, Awaiting says %d", waits, q.awaiting)
	}
	if n := waits + phases[inFlight] + phases[cancelDue] + phases[orphan]; n != q.outstanding {
		return fmt.Errorf("%d without a completion, Outstanding says %d", n, q.outstanding)
	}
	if n := phases[cancelDue] + phases[orphan]; n != q.orphans {
		return fmt.Errorf("%d abandoned and not acknowledged, orphans says %d", n, q.orphans)
	}
	if q.room.Waiting() > 0 && !q.taken() {
		return fmt.Errorf("%d wait for room while there is some", q.room.Waiting())
	}
	if c := q.counters; c.Submitted != c.Completed+c.Late+uint64(q.outstanding) {
		return fmt.Errorf("I12: %+v with %d outstanding", c, q.outstanding)
	}
	if phases[0] > 0 || phases[retired] != q.retired {
		return fmt.Errorf("%d free slots in use, %d retired", phases[0], phases[retired])
	}
	if err := checkList(q, q.cancel, phases[cancelDue], func(s *slot) bool { return s.phase == cancelDue }); err != nil {
		return fmt.Errorf("cancel list: %w", err)
	}
	return checkOwners(q, q.slots.Len()-phases[retired]-phases[cancelDue]-phases[orphan])
}

func checkSlot(s *slot) error {
	completed := s.phase == done || s.phase == ready
	switch {
	case s.ticket.IsZero() != (s.phase != awaited):
		return fmt.Errorf("phase %d with ticket %v", s.phase, s.ticket)
	case s.completion != (Completion{}) && !completed:
		return fmt.Errorf("phase %d keeps a completion", s.phase)
	case s.cell != nil && s.phase != attached && s.phase != ready:
		return fmt.Errorf("phase %d keeps a cell", s.phase)
	}
	return nil
}

func checkOwners(q *Queue, owned int) error {
	for _, head := range q.owned {
		n := -1
		if head != 0 {
			owner := q.slots.At(head).owner
			if err := checkList(q, head, -1, func(s *slot) bool { return s.owner == owner }); err != nil {
				return fmt.Errorf("list of %v: %w", owner, err)
			}
			for i := head; n < 0 || i != head; i = q.slots.At(i).next {
				n = max(n, 0) + 1
			}
			owned -= n
		}
	}
	if owned != 0 {
		return fmt.Errorf("%d owned slots are on no list", owned)
	}
	return nil
}

// checkList walks one circle: want members (any number if negative), all fit.
func checkList(q *Queue, head uint32, want int, fits func(*slot) bool) error {
	n := 0
	for i := head; i != 0; {
		s := q.slots.At(i)
		if !fits(s) {
			return fmt.Errorf("slot %d in phase %d of %v does not belong", i, s.phase, s.owner)
		}
		if q.slots.At(s.next).prev != i {
			return fmt.Errorf("broken link at slot %d", i)
		}
		n++
		if i = s.next; i == head || n > q.slots.Cap() {
			break
		}
	}
	if want >= 0 && n != want {
		return fmt.Errorf("%d members, want %d", n, want)
	}
	return nil
}
