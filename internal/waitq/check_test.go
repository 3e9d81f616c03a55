package waitq

import "fmt"

// check states the invariants listed on Queue, for values where 0 means none.
func check(all *Queue[*int]) error {
	q := &all.rest
	if err := checkFront(all); err != nil {
		return err
	}
	size := uint64(len(q.buf))
	if q.head > q.mid || q.mid > q.tail || q.tail-q.head > size || size&(size-1) != 0 {
		return fmt.Errorf("positions %d %d %d in %d slots", q.head, q.mid, q.tail, size)
	}
	assigned, waiting := 0, 0
	for i := q.head; i < q.tail; i++ {
		e := q.at(i)
		switch {
		case i > q.head && e.ticket.Seq < q.at(i-1).ticket.Seq:
			return fmt.Errorf("seq goes down at %d", i)
		case !e.live && e.value != nil:
			return fmt.Errorf("tombstone at %d keeps a value alive", i)
		case e.live && i < q.mid:
			assigned++
		case e.live:
			waiting++
		}
	}
	for i := q.tail; i < q.head+size; i++ {
		if q.at(i).value != nil {
			return fmt.Errorf("unused slot %d keeps a value alive", i)
		}
	}
	if assigned != q.assigned || waiting != q.waiting {
		return fmt.Errorf("counted %d+%d, claimed %d+%d", assigned, waiting, q.assigned, q.waiting)
	}
	return checkEnds(q)
}

func checkFront(q *Queue[*int]) error {
	switch {
	case q.phase == nobody && q.front.value != nil:
		return fmt.Errorf("an empty front keeps a value alive")
	case q.phase == waits && q.rest.assigned > 0:
		return fmt.Errorf("the front waits while %d behind it were served", q.rest.assigned)
	case q.phase != nobody && q.rest.head < q.rest.tail && q.rest.at(q.rest.head).ticket.Seq < q.front.ticket.Seq:
		return fmt.Errorf("the front is younger than the ring")
	}
	return nil
}

func checkEnds(q *ring[*int]) error {
	if q.head < q.mid && !q.at(q.head).live {
		return fmt.Errorf("assigned zone starts with a tombstone")
	}
	if q.mid < q.tail && (!q.at(q.mid).live || !q.at(q.tail-1).live) {
		return fmt.Errorf("waiting zone starts or ends with a tombstone")
	}
	used := q.tail - q.head
	if dead := used - uint64(q.assigned+q.waiting); dead >= sparse && dead*2 > used {
		return fmt.Errorf("%d tombstones in %d used slots", dead, used)
	}
	return nil
}
