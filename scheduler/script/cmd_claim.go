package script

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

func cmdClaim(w *world, a *args) {
	if !a.done() {
		return
	}
	t, r := w.s.Claim()
	p := w.executing()
	end := p.wait
	p.wait = nil
	if r.Code == fiber.Pending {
		w.say("claim: %s has not waited", p.name)
		return
	}
	s := w.plain(t.ID, r)
	if end != nil {
		s = end(t, r)
	}
	w.say("claim: %s %s", w.ticket(t), s)
}

// collectsToken is the end of a wait that has nothing but a reason: with an operation,
// its completion.
func (w *world) collectsToken(r fiber.Reason) ending {
	if r.Kind != fiber.IO {
		return nil
	}
	return func(t fiber.Ticket, res fiber.Result) string {
		if res.Code != fiber.OK {
			return w.plain(t.ID, res)
		}
		return "ok: " + w.taken(r.Token)
	}
}

// taken collects a completion and says what it was.
func (w *world) taken(tok fiber.Token) string {
	done, ok := w.s.Ops().Completion(tok)
	if !ok {
		return fmt.Sprintf("%s has no completion to take", w.token(tok))
	}
	return fmt.Sprintf("%s came with %s", w.token(tok), answer(done.Value, done.Err))
}
