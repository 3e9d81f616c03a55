package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// maxBody is how many bytes of a request's body are read at most.
const maxBody = 1 << 10

// Handler is the inspector of one scheduler: an http.Handler with the pages and the JSON below api/v1/ that
// docs/inspect.md describes. All methods are safe for concurrent use; Hold is the owner's.
//
// Its requests never touch the scheduler. Each posts a function, which the owner calls between two slices, and
// which copies what the answer needs; text is made on the goroutine of the request. All clients share one snapshot and one
// summary for each Config.Interval, and snapshots take a twentieth of the owner's time at most. Beyond them, a request
// costs the owner the names and places of the rows it asks for, some tens of microseconds for a page of a list.
type Handler struct {
	cfg     Config
	owner   *owner
	views   *views
	samples samples
	sets    *sets
	guard   guard
	mux     *http.ServeMux
	streams chan struct{} // a place for each client of events

	mu     sync.Mutex
	ending *Ending
	ended  chan struct{} // closed by End
}

// Ending is how a run has ended, or that it goes on.
type Ending struct {
	Verdict string `json:"verdict"`         // Running until the end, then as in a Report
	Error   string `json:"error,omitempty"` // why the run failed, as text
}

// New makes a Handler. It starts no goroutine, and costs the program nothing until a request comes. It panics if
// cfg.Core is nil.
func New(cfg Config) *Handler {
	if cfg.Core == nil {
		panic("inspect: Config.Core is nil: give the scheduler that is to be inspected")
	}
	cfg.Interval, cfg.Timeout = cmp.Or(cfg.Interval, DefaultInterval), cmp.Or(cfg.Timeout, DefaultTimeout)
	h := &Handler{
		cfg: cfg, owner: newOwner(cfg.Core, cfg.Timeout), mux: http.NewServeMux(),
		guard:   guard{token: cfg.Token, hosts: cfg.Hosts},
		streams: make(chan struct{}, maxStreams), ended: make(chan struct{}),
	}
	h.views = &views{of: cfg.Core.Inspect(), owner: h.owner, interval: cfg.Interval}
	h.samples = samples{began: time.Now(), interval: cfg.Interval}
	h.sets = &sets{list: cfg.Islands, core: cfg.Core, own: h.owner, interval: cfg.Interval}
	h.route()
	return h
}

func (h *Handler) route() {
	h.mux.HandleFunc("GET /api/v1/summary", h.serveSummary)
	h.mux.HandleFunc("GET /api/v1/events", h.serveEvents)
	h.mux.HandleFunc("GET /api/v1/fibers", h.serveFibers)
	h.mux.HandleFunc("GET /api/v1/fibers/{id}", h.serveFiber)
	h.mux.HandleFunc("POST /api/v1/fibers/{id}/{action}", h.serveControl)
	h.mux.HandleFunc("GET /api/v1/graph", h.serveGraph)
	h.mux.HandleFunc("GET /api/v1/timeline", h.serveTimeline)
	h.mux.HandleFunc("GET /api/v1/islands", h.serveIslands)
	h.mux.HandleFunc("GET /api/v1/report", h.serveReport)
	h.mux.HandleFunc("GET /api/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "there is no "+r.URL.Path)
	})
	h.mux.HandleFunc("GET /", servePage)
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if h.guard.admit(w, r) {
		h.mux.ServeHTTP(w, r)
	}
}

// End says that the run has ended, and how: the verdict and the error as in a Report. From then on no fiber is
// cancelled or paused, and the pages show the last state if the owner calls Hold.
func (h *Handler) End(verdict, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ending == nil {
		h.ending = &Ending{verdict, text}
		close(h.ended)
		h.views.end()
	}
}

// Hold answers requests after the run, until ctx ends or Close is called. The owner of the scheduler calls it.
func (h *Handler) Hold(ctx context.Context) { h.owner.hold(ctx) }

// Close ends all streams of events, and refuses the requests that wait for the owner, and later ones. It does not wait
// for the goroutines of requests.
func (h *Handler) Close() { h.owner.shut() }

// how is how the run has ended, or nil.
func (h *Handler) how() *Ending {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ending
}

// reply writes a value as JSON.
func reply(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
}

// Failure is the body of an answer with a status of 400 or more.
type Failure struct {
	Error string `json:"error"` // what is wrong, and what to do
}

func refuse(w http.ResponseWriter, status int, text string) { reply(w, status, Failure{text}) }

// unavailable tells why the owner has not answered.
func unavailable(w http.ResponseWriter, err error) {
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusServiceUnavailable, err.Error())
}
