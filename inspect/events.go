package inspect

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	// maxStreams is how many clients receive events at the same time.
	maxStreams = 64
	// heartbeat is after how long a stream sends something if nothing happens, so that dead connections are noticed.
	heartbeat = 15 * time.Second
	// writeTime is how long a client may take to accept what is sent.
	writeTime = 30 * time.Second
)

// serveEvents sends summaries until the client goes or the Handler is closed: as server-sent events
// summary, verdict (once, when the run has ended), unanswered (the owner does not answer), and end.
func (h *Handler) serveEvents(w http.ResponseWriter, r *http.Request) {
	select {
	case h.streams <- struct{}{}:
		defer func() { <-h.streams }()
	default:
		unavailable(w, fmt.Errorf("%d clients receive events, which is the most", maxStreams))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	s := &stream{w: w, control: http.NewResponseController(w)}
	_ = s.control.SetReadDeadline(time.Time{}) // that of the request would end the stream
	tick := time.NewTicker(h.cfg.Interval)
	defer tick.Stop()
	ended := h.ended
	for {
		select {
		case <-ended:
			h.sendSummary(s)
			s.send("verdict", h.how())
			ended = nil
		default:
			h.sendSummary(s)
		}
		if s.failed {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-h.owner.over:
			if ended != nil && h.how() != nil {
				s.send("verdict", h.how())
			}
			s.send("end", struct{}{})
			return
		case <-ended:
		case <-tick.C:
		}
	}
}

// sendSummary sends the summary if there is a new one, or that there is none.
func (h *Handler) sendSummary(s *stream) {
	now, err := h.summary()
	switch {
	case err == errOver:
	case err != nil:
		s.send("unanswered", Failure{err.Error()})
		s.last = nil
	case now != s.last && (s.last == nil || !now.same(s.last)):
		s.send("summary", now)
		s.last = now
	default:
		s.beat()
	}
}

// same tells whether a later summary has nothing new but the time.
func (s *Summary) same(before *Summary) bool {
	a, b := *s, *before
	a.Wall, b.Wall, a.Now, b.Now = 0, 0, 0, 0
	return a == b
}

// stream writes the events of one client.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	last    *Summary
	sent    time.Time
	failed  bool
}

func (s *stream) send(event string, value any) {
	text, err := json.Marshal(value)
	if err == nil {
		s.write(fmt.Sprintf("event: %s\ndata: %s\n\n", event, text))
	}
}

// beat sends a comment if it was quiet for long.
func (s *stream) beat() {
	if time.Since(s.sent) >= heartbeat {
		s.write(": still here\n\n")
	}
}

func (s *stream) write(text string) {
	if s.failed {
		return
	}
	s.sent = time.Now()
	_ = s.control.SetWriteDeadline(s.sent.Add(writeTime)) // not all writers have one
	_, err := s.w.Write([]byte(text))
	if err == nil {
		err = s.control.Flush()
	}
	s.failed = err != nil
}
