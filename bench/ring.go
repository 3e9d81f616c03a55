package main

import (
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// player is a fiber of P14 and P15: it waits for the ball and passes it on, as compiled channel
// instructions of a guest would.
type player struct {
	in, out *wait.Chan[int]
	ball    int
	throws  bool // the first: it already has the ball
	waits   waits
}

// waits says what a player is blocked on.
type waits uint8

const (
	nowhere waits = iota
	toReceive
	toSend
)

// match is a scheduler that runs until the ball has made its hops.
type match struct {
	s    *scheduler.Scheduler[player]
	hops int
	over bool
}

// turn is one slice of the running player: it ends when the player has to wait. It is one
// function that jumps from instruction to instruction, as an interpreter's loop does.
func (m *match) turn(p *player) {
	s := m.s
	switch p.waits {
	case toReceive:
		t, _ := s.Claim()
		p.ball, _ = p.in.Collect(t)
		goto pass
	case toSend:
		s.Claim()
	case nowhere:
		if p.throws {
			goto pass
		}
	}
receive:
	if ball, status, w := p.in.TryRecv(); status == wait.Received {
		p.ball = ball
		s.Apply(w)
	} else {
		p.waits = toReceive
		t, _ := s.BlockOn(p.in.Source())
		must(p.in.ParkRecv(t, 0))
		return
	}
pass:
	if p.ball == m.hops {
		m.over = true
		return
	}
	p.ball++
	if ok, w, err := p.out.TrySend(p.ball); ok {
		s.Apply(w)
		goto receive
	} else {
		must(err)
		p.waits = toSend
		t, _ := s.BlockOn(p.out.Source())
		must(p.out.ParkSend(t, p.ball, 0))
	}
}

// ring is P14 (two players) and P15: a ball makes n hops over unbuffered channels.
//
//go:noinline
func ring(players int) func(int) time.Duration {
	return func(n int) time.Duration {
		m := &match{s: scheduler.New[player](scheduler.Config{}), hops: n}
		chans := make([]*wait.Chan[int], players)
		for i := range chans {
			chans[i] = wait.NewChan[int](0)
		}
		for i := range players {
			mustGet(m.s.Spawn(player{in: chans[i], out: chans[(i+1)%players], throws: i == 0}))
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

// must ends the run with an error that no row expects.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// part is the share of participant i when so many share n operations.
func part(n, i, participants int) int { return (n + participants - 1 - i) / participants }

// mustGet is the value of a call that must not fail.
func mustGet[T any](v T, err error) T {
	must(err)
	return v
}
