package waitq

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// machine drives a Queue and its twin with the same calls.
type machine struct {
	q    Queue[*int]
	w    twin
	used []fiber.Ticket // every ticket ever tried, so that spent ones are tried again
	seq  uint64
	next int
}

func (m *machine) value() int { m.next++; return m.next }

// ticket is one seen before, or one that was never pushed.
func (m *machine) ticket(t *rapid.T) fiber.Ticket {
	if len(m.used) == 0 || rapid.IntRange(0, 9).Draw(t, "stranger") == 0 {
		return fiber.Ticket{ID: 1 << 40, Seq: rapid.Uint64Range(0, m.seq+1).Draw(t, "seq")}
	}
	return rapid.SampledFrom(m.used).Draw(t, "ticket")
}

func (m *machine) Push(t *rapid.T) {
	m.seq += rapid.Uint64Range(1, 3).Draw(t, "gap")
	ticket := fiber.Ticket{ID: fiber.ID(1<<32 | m.seq%5), Seq: m.seq}
	m.used = append(m.used, ticket)
	for range rapid.SampledFrom([]int{1, 1, 1, 2, 4}).Draw(t, "cases") {
		m.push(t, ticket)
	}
}

// PushMany makes the queue deep enough for tombstones to be compacted.
func (m *machine) PushMany(t *rapid.T) {
	for range 12 {
		m.Push(t)
	}
}

// PushAgain may be out of order: an older ticket is refused without a change.
func (m *machine) PushAgain(t *rapid.T) { m.push(t, m.ticket(t)) }

func (m *machine) push(t *rapid.T, ticket fiber.Ticket) {
	v, tag := m.value(), rapid.Uint32().Draw(t, "tag")
	if got, want := m.q.Push(ticket, tag, &v), m.w.push(ticket, tag, v); got != want {
		t.Fatalf("Push(%v) = %v, want %v", ticket, got, want)
	}
	m.seq = max(m.seq, m.w.last.Seq)
}

func (m *machine) Match(t *rapid.T) {
	v := m.value()
	ticket, tag, ok := m.q.MatchOnly(&v)
	if !ok {
		ticket, tag, ok = m.q.Match(&v)
	}
	want, wantOK := m.w.match(v)
	if ok != wantOK || ticket != want.t || tag != want.tag {
		t.Fatalf("Match = %v %d %v, want %v %v", ticket, tag, ok, want, wantOK)
	}
}

func (m *machine) Pop(t *rapid.T) {
	ticket, tag, v, ok := m.q.Pop()
	want, wantOK := m.w.pop()
	if ok != wantOK || ticket != want.t || tag != want.tag || ok && *v != want.v {
		t.Fatalf("Pop = %v %d %v, want %v %v", ticket, tag, ok, want, wantOK)
	}
}

func (m *machine) Collect(t *rapid.T) {
	ticket := m.ticket(t)
	v, tag, ok := m.q.Collect(ticket)
	want, wantOK := m.w.collect(ticket)
	if ok != wantOK || tag != want.tag || ok && *v != want.v {
		t.Fatalf("Collect(%v) = %d %v, want %v %v", ticket, tag, ok, want, wantOK)
	}
}

func (m *machine) Forfeit(t *rapid.T) {
	ticket := m.ticket(t)
	v, ok := m.q.Forfeit(ticket)
	want, wantOK := m.w.collect(ticket)
	if ok != wantOK || ok && *v != want.v {
		t.Fatalf("Forfeit(%v) = %v, want %v %v", ticket, ok, want, wantOK)
	}
}

func (m *machine) ForfeitOldest(t *rapid.T) {
	v, ok := m.q.ForfeitOldest()
	want, wantOK := m.w.forfeitOldest()
	if ok != wantOK || ok && *v != want.v {
		t.Fatalf("ForfeitOldest = %v, want %v %v", ok, want, wantOK)
	}
}

func (m *machine) Withdraw(t *rapid.T) {
	ticket := m.ticket(t)
	if got, want := m.q.Withdraw(ticket), m.w.withdraw(ticket); got != want {
		t.Fatalf("Withdraw(%v) = %d, want %d", ticket, got, want)
	}
}

// Check compares everything that can be seen from outside.
func (m *machine) Check(t *rapid.T) {
	if err := check(&m.q); err != nil {
		t.Fatal(err)
	}
	if m.q.Waiting() != len(m.w.waiting) || m.q.Assigned() != len(m.w.assigned) {
		t.Fatalf("%d waiting, %d assigned; want %d, %d",
			m.q.Waiting(), m.q.Assigned(), len(m.w.waiting), len(m.w.assigned))
	}
	if m.q.Newest() != m.w.last {
		t.Fatalf("Newest = %v, want %v", m.q.Newest(), m.w.last)
	}
	var got, want []reg
	for ticket, tag := range m.q.All() {
		got = append(got, reg{t: ticket, tag: tag})
	}
	for _, r := range m.w.waiting {
		want = append(want, reg{t: r.t, tag: r.tag})
	}
	if !slices.Equal(got, want) {
		t.Fatalf("All yields %v, want %v", got, want)
	}
	for _, ticket := range m.used {
		if got, want := m.q.Holds(ticket), m.w.holds(ticket); got != want {
			t.Fatalf("Holds(%v) = %v, want %v", ticket, got, want)
		}
		if got, want := m.q.Keeps(ticket), m.w.keeps(ticket); got != want {
			t.Fatalf("Keeps(%v) = %v, want %v", ticket, got, want)
		}
		m.checkPeek(t, ticket)
	}
	m.checkHead(t)
}

func (m *machine) checkHead(t *rapid.T) {
	ticket, tag, v, ok := m.q.Head()
	if ok != (len(m.w.waiting) > 0) {
		t.Fatalf("Head ok = %v with %d waiting", ok, len(m.w.waiting))
	}
	if ok && (reg{ticket, tag, **v}) != m.w.waiting[0] {
		t.Fatalf("Head = %v %d %d, want %v", ticket, tag, **v, m.w.waiting[0])
	}
}

func (m *machine) checkPeek(t *rapid.T, ticket fiber.Ticket) {
	i := slices.IndexFunc(m.w.waiting, func(r reg) bool { return r.t == ticket })
	if v, ok := m.q.Peek(ticket); ok != (i >= 0) || ok && **v != m.w.waiting[i].v {
		t.Fatalf("Peek(%v) = %v, want the %dth of %v", ticket, ok, i, m.w.waiting)
	}
}

func TestQueueAgreesWithItsDumbTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{}
		t.Repeat(map[string]func(*rapid.T){
			"": m.Check, "push": m.Push, "push many": m.PushMany, "push again": m.PushAgain,
			"match": m.Match, "pop": m.Pop, "collect": m.Collect, "forfeit": m.Forfeit,
			"forfeit oldest": m.ForfeitOldest,
			"withdraw":       m.Withdraw, "withdraw more": m.Withdraw,
		})
	})
}
