package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// promises is what the world outside has promised to the rig's scheduler: by Senders that
// are open, and by a device that is waited for.
type promises struct {
	senders []*scheduler.Sender
	device  outpost
}

// outpost is a device that brings nothing; it only says whether it may. It is told what to
// cancel, as every device is.
type outpost struct {
	awaited bool
	told    []fiber.Token
}

var _ scheduler.ExternalSource = (*outpost)(nil)

func (o *outpost) Serve(abandoned []fiber.Token)    { o.told = append(o.told, abandoned...) }
func (o *outpost) Pending() bool                    { return o.awaited }
func (o *outpost) SleepUntil(until fiber.Time) fiber.Time { return until }
func (o *outpost) Ready() bool                       { return false }
func (o *outpost) PrepareSleep()                            {}

func armOutside(r *Rig, from *spec.State, _ spec.Action, to *spec.State) (spec.Answer, error) {
	return spec.NoAnswer, r.publish(r.Scheduler.Arm(fiber.OnQueue().FromOutside()), from, to)
}

// promise is by a Sender, by several, by the device, or by all of them.
func promise(r *Rig, _ *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	r.outside.device.awaited = r.step%4 >= 2
	r.outside.senders = r.outside.senders[:0]
	for range []int{1, 3, 0, 2}[r.step%4] {
		r.outside.senders = append(r.outside.senders, r.Scheduler.Inbox().NewSender())
	}
	return spec.NoAnswer, nil
}

// takeBack takes all of it back, every other time twice. What was taken back before is so
// again, to no effect.
func takeBack(r *Rig, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	r.outside.device.awaited = false
	for _, s := range r.outside.senders {
		s.Close()
		if r.odd() {
			s.Close()
		}
	}
	if from.Promised {
		return spec.NoAnswer, nil
	}
	return spec.AnswerRefused, nil
}
