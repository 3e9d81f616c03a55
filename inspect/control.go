package inspect

import (
	"errors"
	"net/http"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// ErrRequested is the cause of a cancellation or kill that was requested from the inspector.
var ErrRequested = errors.New("inspect: requested from the inspector")

// Changed is the answer to a request that has changed something.
type Changed struct {
	Transitions uint64 `json:"transitions"` // of the scheduler, after the change
}

// serveControl cancels, kills, pauses or resumes a fiber.
func (h *Handler) serveControl(w http.ResponseWriter, r *http.Request) {
	if !h.cfg.Control {
		refuse(w, http.StatusForbidden, "this inspector changes nothing: Config.Control (--inspect-control) is off")
		return
	}
	act := h.action(r.PathValue("action"))
	id, err := fiber.ParseID(r.PathValue("id"))
	switch {
	case act == nil:
		refuse(w, http.StatusNotFound, "want cancel, kill, pause or resume")
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
		return
	case h.how() != nil:
		refuse(w, http.StatusConflict, errOver.Error())
		return
	}
	var refused error
	var done Changed
	err = h.owner.do(func() {
		refused = act(id)
		done.Transitions = h.views.of.Transitions()
	})
	h.views.outdate()
	switch {
	case err != nil:
		unavailable(w, err)
	case errors.Is(refused, scheduler.ErrGone):
		refuse(w, http.StatusNotFound, refused.Error())
	case refused != nil:
		refuse(w, http.StatusConflict, refused.Error())
	default:
		reply(w, http.StatusOK, done)
	}
}

// action is what the owner calls for a request; nil if there is no such action.
func (h *Handler) action(name string) func(fiber.ID) error {
	switch core := h.cfg.Core; name {
	case "cancel":
		return func(id fiber.ID) error { return core.Cancel(id, ErrRequested) }
	case "kill":
		return func(id fiber.ID) error { return core.Kill(id, ErrRequested) }
	case "pause":
		return core.Attachments().Pause
	case "resume":
		return core.Attachments().Resume
	}
	return nil
}
