package inspect

import "net/http"

// serveReport answers with the Report of the present moment. It is made anew for each request, and takes the
// owner longer than anything else here.
func (h *Handler) serveReport(w http.ResponseWriter, _ *http.Request) {
	verdict := Running
	var text string
	if e := h.how(); e != nil {
		verdict, text = e.Verdict, e.Error
	}
	var whole *Report
	write := func() {
		whole = NewReport(h.views.of, verdict)
		whole.AddSteps(h.cfg.Steps)
	}
	if err := h.owner.do(write); err != nil {
		unavailable(w, err)
		return
	}
	whole.Error = text
	reply(w, http.StatusOK, whole)
}
