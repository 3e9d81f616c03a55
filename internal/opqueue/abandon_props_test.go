package opqueue

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"pgregory.net/rapid"
)

func (d *machine) Abandon(t *rapid.T) {
	token, o := d.token(t)
	var want error
	switch {
	case o == nil || o.phase == "over":
		want = ioqueue.ErrUnknownToken
	case o.in("lost", "told"):
		want = ioqueue.ErrAbandoned
	default:
		d.m.abandon(o)
	}
	if err := d.q.Abandon(token); err != want {
		t.Fatalf("Abandon(%v) = %v, want %v", token, err, want)
	}
}

// OwnerDies abandons everything of one fiber; its slot then holds the next generation.
func (d *machine) OwnerDies(t *rapid.T) {
	owner := d.owner(t)
	var dropped []fiber.Token
	n := 0
	for _, o := range d.m.ops {
		if o.owner == owner && !o.in("lost", "told", "over") {
			n++
			if d.m.abandon(o) {
				dropped = append(dropped, o.token)
			}
		}
	}
	d.dropped = nil
	if got := d.q.AbandonOwned(owner); got != n || !slices.Equal(d.dropped, dropped) {
		t.Fatalf("AbandonOwned = %d, dropping %v; want %d, %v", got, d.dropped, n, dropped)
	}
	d.gen[owner.Index()]++
}

func (d *machine) Cancellations(t *rapid.T) {
	var want []fiber.Token
	for _, o := range d.m.lost {
		if o.in("lost") { // not acknowledged before it was cancelled
			want = append(want, o.token)
			o.phase = "told"
		}
	}
	d.m.lost = nil
	if got := d.q.Cancellations(nil); !slices.Equal(got, want) {
		t.Fatalf("Cancellations = %v, want %v", got, want)
	}
}

func (d *machine) FailCells(t *rapid.T) {
	d.q.FailCells(nil)
	for _, cell := range d.m.cells {
		if _, err, done := cell.real.Result(); !done || err != ioqueue.ErrAbandoned {
			t.Fatalf("cell of an abandoned token: %v %v", err, done)
		}
	}
	d.m.cells = nil
}

// Check compares everything that can be seen from outside.
func (d *machine) Check(t *rapid.T) {
	if err := check(d.q); err != nil {
		t.Fatal(err)
	}
	d.checkAll(t)
	if got := d.q.Counters(); got != d.m.counters {
		t.Fatalf("counters %+v, want %+v", got, d.m.counters)
	}
	if got, want := d.q.Awaiting(), d.m.count("awaited", "attached"); got != want {
		t.Fatalf("Awaiting %d, want %d", got, want)
	}
	want := d.m.count("flight", "awaited", "attached", "lost", "told")
	if got := d.q.Outstanding(); got != want {
		t.Fatalf("Outstanding %d, want %d", got, want)
	}
	owners := map[uint32]fiber.RegularID{}
	for _, o := range d.m.ops {
		owner := o.owner
		if o.in("lost", "told", "over") {
			owner = 0
		} else {
			owners[owner.Index()] = owner
		}
		if got := d.q.Owner(o.token); got != owner {
			t.Fatalf("Owner(%v) = %v, want %v", o.token, got, owner)
		}
	}
	for index := range uint32(len(d.q.owned) + 1) {
		if got := d.q.OwnerIn(index); got != owners[index] {
			t.Fatalf("OwnerIn(%d) = %v, want %v", index, got, owners[index])
		}
	}
}

func TestQueueAgreesWithItsDumbModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newMachine()
		t.Repeat(map[string]func(*rapid.T){
			"": d.Check, "submit": d.Submit, "submit more": d.Submit, "await": d.Await,
			"await more": d.Await, "attach": d.Attach, "unawait": d.Unawait,
			"complete": d.Complete, "complete more": d.Complete, "take": d.Take,
			"settle": d.Settle, "abandon": d.Abandon, "owner dies": d.OwnerDies,
			"cancellations": d.Cancellations, "fail cells": d.FailCells,
		})
	})
}
