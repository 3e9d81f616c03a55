package fiberio_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// The failure of a handler is reported when it happens, once, and a cancelled handler is none.
func TestTheFailureOfAHandlerIsReportedAtOnce(t *testing.T) {
	var told []string
	report := func(e *scheduler.UnobservedError) { told = append(told, e.Name+": "+e.Err.Error()) }
	w := newFixtureOn(t, scheduler.Config{Unobserved: report}, fiberio.Config{Unobserved: report})
	w.serve(func(f *stackful.Fiber, r *http.Request, _ []byte) (*fiberio.Response, error) {
		switch r.URL.Path {
		case "/fails":
			return nil, errors.New("no such thing")
		case "/panics":
			panic("oh")
		case "/cancelled":
			require.NoError(w, w.rt.Scheduler().Cancel(f.ID(), errors.New("enough")))
			return nil, f.Yield()
		}
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		for _, path := range []string{"/fails", "/panics", "/cancelled", "/"} {
			_, err := s.get(f, path)
			require.NoError(w, err)
		}
		assert.Equal(w, []string{"GET /fails: no such thing", "GET /panics: panic: oh"}, told)
	})
	assert.Len(t, told, 2)
}
