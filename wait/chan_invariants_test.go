package wait

import (
	"iter"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// Check compares everything there is to see, and the invariants listed on Chan.
func (m *channels) Check(t *rapid.T) {
	for i, ch := range m.ch[:3] {
		w := m.w[i]
		if ch.Len() != len(w.buf) || ch.Closed() != w.closed || ch.recvs.Assigned() != len(w.given) ||
			ch.sends.Assigned() != 0 || ch.lost != uint64(len(w.lost)) || !slices.Equal(m.lost[i], w.lost) {
			t.Fatalf("%v, lost %v; want %+v", ch.Source().(fiber.Described).Describe(), m.lost[i], w)
		}
		if got := waiting(ch); !slices.Equal(got, tickets(w)) {
			t.Fatalf("%v: waiting %v, want %+v", ch.Source().(fiber.Described).Describe(), got, w)
		}
		ch.check(t)
		for _, x := range m.on {
			if ch.Source().Holds(x.t) != w.holds(x.t) {
				t.Fatalf("%v: holds %v: %v", ch.Source().(fiber.Described).Describe(), x.t, ch.Source().Holds(x.t))
			}
		}
	}
}

func waiting(ch *Chan[int]) (all []waiter) {
	for t, tag := range ch.recvs.All() {
		all = append(all, waiter{t: t, tag: tag})
	}
	for t, tag := range ch.sends.All() {
		all = append(all, waiter{t: t, tag: tag})
	}
	return all
}

func tickets(w *twin) (all []waiter) {
	for _, x := range slices.Concat(w.recvs, w.sends) {
		all = append(all, waiter{t: x.t, tag: x.tag})
	}
	return all
}

func count[K, V any](all iter.Seq2[K, V]) (n int) {
	for range all {
		n++
	}
	return n
}

// check holds the invariants listed on Chan against its fields.
func (c *Chan[V]) check(t *rapid.T) {
	receivers, senders := c.Waiting()
	if r, s := count(c.recvs.All()), count(c.sends.All()); receivers != r || senders != s {
		t.Fatalf("%v: %d and %d wait", c.Source().(fiber.Described).Describe(), r, s)
	}
	switch {
	case c.buf.n > c.capacity || c.buf.n > len(c.buf.ring):
		t.Fatalf("%v: overfull", c.Source().(fiber.Described).Describe())
	case receivers > 0 && (c.buf.n > 0 || c.closed):
		t.Fatalf("%v: a receiver waits for what is there", c.Source().(fiber.Described).Describe())
	case senders > 0 && (c.buf.n < c.capacity || c.closed):
		t.Fatalf("%v: a sender waits though there is room", c.Source().(fiber.Described).Describe())
	case receivers > 0 && senders > 0:
		for r := range c.recvs.All() {
			for s := range c.sends.All() {
				if r != s {
					t.Fatalf("%v: %v and %v do not meet", c.Source().(fiber.Described).Describe(), r, s)
				}
			}
		}
	}
}

// rounds makes a history long: about 30 steps each, 100 histories in a run of the
// tests, so 120,000 steps.
const rounds = 40

func TestAnyHistoryOfChannelsAndSelectsIsThatOfTheTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newChannels(t)
		for range rounds {
			t.Repeat(map[string]func(*rapid.T){
				"send": m.SendOrPark, "recv": m.RecvOrPark, "select": m.SelectOrPark, "close": m.Close,
				"interrupt": m.Interrupt, "resume": m.Resume, "die": m.Die, "stale": m.Stale, "": m.Check,
			})
		}
	})
}
