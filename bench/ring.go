package main

import (
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// player is a fiber of P14 and P15: it waits for the ball and passes it on, as the
// compiled channel instructions of a guest would.
type player struct {
	in, out *wait.Chan[int]
	ball    int
	throws  bool // the first: it has the ball already
	waits   waits
}

// waits says what a player is blocked in.
type waits uint8

const (
	nowhere waits = iota
	toReceive
	toSend
)

// match is a scheduler that plays until the ball has made its hops.
type match struct {
	s    *scheduler.Scheduler[player]
	hops int
	over bool
}

// turn is one slice of the running player: it ends when the player has to wait.
func (m *match) turn(p *player) {
	switch {
	case p.waits != nowhere:
		t, _ := m.s.Claim()
		if p.waits == toReceive {
			p.ball, _ = p.in.Collect(t)
			if !m.pass(p) {
				return
			}
		}
	case p.throws && !m.pass(p):
		return
	}
	for m.receive(p) && m.pass(p) {
	}
}

// receive takes the ball, or waits for it.
func (m *match) receive(p *player) bool {
	ball, status, w := p.in.TryRecv()
	if status == wait.Empty {
		p.waits = toReceive
		t, _ := m.s.BlockOn(p.in)
		must(p.in.ParkRecv(t, 0))
		return false
	}
	p.ball = ball
	m.s.Apply(w)
	return true
}

// pass sends the ball on, or waits until it is taken; false also when it has made all
// its hops.
func (m *match) pass(p *player) bool {
	if m.over = p.ball == m.hops; m.over {
		return false
	}
	p.ball++
	ok, w, err := p.out.TrySend(p.ball)
	must(err)
	if !ok {
		p.waits = toSend
		t, _ := m.s.BlockOn(p.out)
		must(p.out.ParkSend(t, p.ball, 0))
		return false
	}
	m.s.Apply(w)
	return true
}

// ring is P14 (two players) and P15: a ball makes n hops over unbuffered channels.
func ring(players int) func(int) time.Duration {
	return func(n int) time.Duration {
		m := &match{s: scheduler.New[player](scheduler.Config{}), hops: n}
		chans := make([]*wait.Chan[int], players)
		for i := range chans {
			chans[i] = wait.NewChan[int](0)
		}
		for i := range players {
			_, err := m.s.Spawn(player{in: chans[i], out: chans[(i+1)%players], throws: i == 0})
			must(err)
		}
		start := time.Now()
		for !m.over {
			if f := m.s.ScheduleNext(); f != nil {
				m.turn(&f.Data)
			} else {
				m.s.Poll()
			}
		}
		return time.Since(start)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
