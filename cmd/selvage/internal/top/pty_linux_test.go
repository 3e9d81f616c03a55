package top

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// onTerminal is Run on a pseudo-terminal, and what it has written so far.
type onTerminal struct {
	t       *testing.T
	keys    *os.File // the other end
	screen  *os.File
	before  *term.State
	written chan string
	text    string
	ended   chan error
}

func runOn(t *testing.T, ctx context.Context, p *program, environment ...string) *onTerminal {
	keys, screen, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: 80}))
	before, err := term.GetState(screen.Fd())
	require.NoError(t, err)
	w := &onTerminal{t: t, keys: keys, screen: screen, before: before, written: make(chan string), ended: make(chan error, 1)}
	go func() {
		defer close(w.written)
		buffer := make([]byte, 4096)
		for {
			n, err := keys.Read(buffer)
			if n > 0 {
				w.written <- string(buffer[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		w.ended <- Run(ctx, p.client, time.Hour, screen, screen, append(environment, "TERM=xterm-256color"))
	}()
	return w
}

// see waits until a text is on the screen.
func (w *onTerminal) see(text string) {
	w.t.Helper()
	for !strings.Contains(w.text, text) {
		more, open := <-w.written
		require.True(w.t, open, "the screen lacks %q: %q", text, w.text)
		w.text += more
	}
}

func (w *onTerminal) press(keys string) {
	w.text = ""
	_, err := w.keys.WriteString(keys)
	require.NoError(w.t, err)
}

// end waits for the end of Run, and checks that the terminal is as it was.
func (w *onTerminal) end() error {
	w.see("\x1b[?1049l") // leaves the alternate screen
	w.see("\x1b[?25h")   // shows the cursor
	var err error
	for over := false; !over; {
		select {
		case <-w.written:
		case err = <-w.ended:
			over = true
		}
	}
	after, failed := term.GetState(w.screen.Fd())
	require.NoError(w.t, failed)
	require.Equal(w.t, w.before, after)
	require.NoError(w.t, w.screen.Close())
	for range w.written { // until the other end is closed
	}
	require.NoError(w.t, w.keys.Close())
	return err
}

func TestOnATerminal(t *testing.T) {
	for _, quit := range []string{"q", "\x03"} {
		w := runOn(t, t.Context(), serve(t, 3, ""))
		w.see("\x1b[?1049h")
		w.see("alice")
		w.press("\r")
		w.see("fiber f0.1")
		w.press("?")
		w.see("pause the fiber")
		w.press(quit)
		require.NoError(t, w.end())
	}
}

func TestASignalRestoresTheTerminal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := runOn(t, ctx, serve(t, 3, ""))
	w.see("alice")
	cancel()
	require.ErrorIs(t, w.end(), context.Canceled)
}

func TestTheVerdictStaysUntilQ(t *testing.T) {
	p := serve(t, 3, "")
	w := runOn(t, t.Context(), p, "NO_COLOR=please")
	w.see("alice")
	p.handler.End("deadlock", "")
	w.see("deadlock")
	p.handler.Close()
	w.see("closed")
	require.NotContains(t, w.text, "\x1b[1;31m")
	w.press("q")
	require.NoError(t, w.end())
}
