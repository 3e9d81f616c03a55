package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// show is a Run that prints what it was given, and fails if it has to.
func show(_ context.Context, clock scheduler.Clock, file, text string, args []string, out io.Writer) error {
	_, virtual := clock.(*scheduler.VirtualClock)
	_, err := io.WriteString(out, strings.Join(append([]string{filepath.Base(file), text}, args...), ","))
	if virtual {
		_, err = io.WriteString(out, ",virtual")
	}
	if text == "fails" {
		return errors.New("boom")
	}
	return err
}

func TestTheCommandRunsAFileOrSaysWhatItWants(t *testing.T) {
	good, bad := filepath.Join(t.TempDir(), "p"), filepath.Join(t.TempDir(), "q")
	require.NoError(t, os.WriteFile(good, []byte("text"), 0o600))
	require.NoError(t, os.WriteFile(bad, []byte("fails"), 0o600))
	for name, c := range map[string]struct {
		args      []string
		out, fail string
	}{
		"a file":         {[]string{good}, "p,text", ""},
		"arguments":      {[]string{good, "a", "-b"}, "p,text,a,-b", ""},
		"virtual time":   {[]string{"--virtual", good}, "p,text,virtual", ""},
		"help":           {[]string{"--help"}, "the usage", ""},
		"no file":        {nil, "", "no program\n\nthe usage"},
		"no such file":   {[]string{"none"}, "", "none"},
		"a wrong flag":   {[]string{"-x", good}, "", "-x\n\nthe usage"},
		"one that fails": {[]string{bad}, "q,fails", "boom"},
	} {
		var out bytes.Buffer
		err := execute(t.Context(), "the usage", c.args, &out, show)
		assert.Equal(t, c.out, out.String(), name)
		if c.fail == "" {
			assert.NoError(t, err, name)
		} else {
			assert.ErrorContains(t, err, c.fail, name)
		}
	}
}

func TestAnInterruptedProgramEndsWithTheSignal(t *testing.T) {
	file, errSignal := filepath.Join(t.TempDir(), "p"), errors.New("a signal")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	ctx, cancel := context.WithCancelCause(t.Context())
	err := execute(ctx, "", []string{file}, io.Discard, func(ctx context.Context, _ scheduler.Clock, _, _ string, _ []string, _ io.Writer) error {
		cancel(errSignal)
		return ctx.Err()
	})
	assert.Equal(t, errSignal, err)
}

func TestAPageIsItsBodyOrAnError(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, "hello")
	}))
	page, err := Page(t.Context(), server.URL)
	assert.NoError(t, err)
	assert.Equal(t, "hello", page)
	_, err = Page(t.Context(), server.URL+"/none")
	assert.ErrorContains(t, err, "404")
	_, err = Page(t.Context(), "no url:")
	assert.Error(t, err)
	server.Close()
	_, err = Page(t.Context(), server.URL)
	assert.Error(t, err)
}
