package opqueue

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// check states the invariants listed on Queue from the slots alone.
func check(q *Queue) error {
	var phases [retired + 1]int
	for i := uint32(1); i <= q.slots.touched; i++ {
		s := q.slots.at(i)
		phases[s.phase]++
		if err := checkSlot(s); err != nil {
			return err
		}
	}
	if err := checkFree(q, phases[free]); err != nil {
		return err
	}
	waits := phases[awaited] + phases[attached]
	if waits != q.awaiting {
		return fmt.Errorf("%d waits, Awaiting says %d", waits, q.awaiting)
	}
	if n := waits + phases[inFlight] + phases[cancelDue] + phases[orphan]; n != q.Outstanding() {
		return fmt.Errorf("%d without a completion, Outstanding says %d", n, q.Outstanding())
	}
	if n := phases[cancelDue] + phases[orphan]; n != q.orphans {
		return fmt.Errorf("%d abandoned and not acknowledged, orphans says %d", n, q.orphans)
	}
	if q.room.line.Waiting() > 0 && !q.taken() {
		return fmt.Errorf("%d wait for room while there is some", q.room.line.Waiting())
	}
	if phases[retired] != q.retired {
		return fmt.Errorf("%d retired, %d counted", phases[retired], q.retired)
	}
	if err := checkList(q, q.cancel, phases[cancelDue], func(s *slot) bool { return s.phase == cancelDue }); err != nil {
		return fmt.Errorf("cancel list: %w", err)
	}
	return checkOwners(q, q.slots.len-phases[retired]-phases[cancelDue]-phases[orphan])
}

func checkSlot(s *slot) error {
	completed := s.phase == done || s.phase == ready
	switch {
	case (s.wait == 0) != (s.phase != awaited):
		return fmt.Errorf("phase %d in wait %d", s.phase, s.wait)
	case (s.owner == 0) != (s.phase == free || s.phase >= cancelDue):
		return fmt.Errorf("phase %d of owner %v", s.phase, s.owner)
	case s.completion != (ioqueue.Completion{}) && !completed:
		return fmt.Errorf("phase %d keeps a completion", s.phase)
	case s.cell != nil && s.phase != attached && s.phase != ready:
		return fmt.Errorf("phase %d keeps a cell", s.phase)
	}
	return nil
}

// checkFree walks the list of free slots, which has all of them.
func checkFree(q *Queue, want int) error {
	n := 0
	for i := q.slots.free; i != 0 && n <= want; i = q.slots.at(i).next {
		if s := q.slots.at(i); s.phase != free {
			return fmt.Errorf("slot %d in phase %d is on the list of free ones", i, s.phase)
		}
		n++
	}
	if n != want || q.slots.len+n != int(q.slots.touched) {
		return fmt.Errorf("%d slots of %d are free, %d on the list, %d are not", want, q.slots.touched, n, q.slots.len)
	}
	return nil
}

func checkOwners(q *Queue, owned int) error {
	for _, head := range q.owned {
		n := -1
		if head != 0 {
			owner := q.slots.at(head).owner
			if err := checkList(q, head, -1, func(s *slot) bool { return s.owner == owner }); err != nil {
				return fmt.Errorf("list of %v: %w", owner, err)
			}
			for i := head; n < 0 || i != head; i = q.slots.at(i).next {
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
		s := q.slots.at(i)
		if !fits(s) {
			return fmt.Errorf("slot %d in phase %d of %v does not belong", i, s.phase, s.owner)
		}
		if q.slots.at(s.next).prev != i {
			return fmt.Errorf("broken link at slot %d", i)
		}
		n++
		if i = s.next; i == head || n > int(q.slots.touched) {
			break
		}
	}
	if want >= 0 && n != want {
		return fmt.Errorf("%d members, want %d", n, want)
	}
	return nil
}

func complete(q *Queue, t fiber.Token, c ioqueue.Completion) (fiber.Ticket, ioqueue.Verdict) {
	return q.Complete(t, &c)
}

func take(q *Queue, t fiber.Token) (c ioqueue.Completion, ok bool) {
	ok = q.Take(t, &c)
	return c, ok
}
