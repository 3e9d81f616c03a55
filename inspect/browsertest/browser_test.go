package browsertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// patience is for what hangs; no test's verdict depends on it.
const patience = 10 * time.Minute

// browser is a page in a browser of its own.
type browser struct {
	t       *testing.T
	ctx     context.Context
	mu      sync.Mutex
	console []string // errors and warnings
}

// open shows an address. At the end of the test the console must be empty.
func open(t *testing.T, url string) *browser {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath("/usr/bin/chromium"), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1280, 720))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	messages := chromedp.Console(ctx)
	read := make(chan struct{})
	go func() {
		defer close(read)
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.IsException() {
				b.mu.Lock()
				b.console = append(b.console, fmt.Sprint(m, " ", m.URL))
				b.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		<-read
		require.Empty(t, b.console, "the console")
	})
	b.do(chromedp.EmulateViewport(1280, 720), chromedp.Navigate(url))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, steps...))
}

// eval is the value of an expression of JavaScript.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, expression)
	return value
}

// click clicks on the element, which must be there.
func (b *browser) click(selector string) {
	b.t.Helper()
	eval[bool](b, `(document.querySelector('`+selector+`').click(), true)`)
}

// focus moves the focus to the element, which must take it.
func (b *browser) focus(selector string) {
	b.t.Helper()
	const focused = `((e) => { e.focus(); return document.activeElement === e; })`
	require.True(b.t, eval[bool](b, focused+`(document.querySelector('`+selector+`'))`), selector)
}

// wait waits until an expression is true. The page looks again before each frame it draws.
func (b *browser) wait(expression string) {
	b.t.Helper()
	look := fmt.Sprintf(`new Promise((done) => {
		const look = () => {
			let is = false;
			try { is = %s; } catch {}
			if (is) done(true); else requestAnimationFrame(look);
		};
		look();
	})`, expression)
	ctx, cancel := context.WithTimeout(b.ctx, patience/10)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](look, chromedp.EvalAwaitPromise)); err != nil {
		text := eval[string](b, "document.body.innerText")
		b.t.Fatalf("%s: %v; console %v; the page says:\n%s", expression, err, b.console, text)
	}
}

// show goes to a view of the page.
func (b *browser) show(hash string) {
	b.t.Helper()
	eval[string](b, fmt.Sprintf("location.hash = %q", hash))
}

// press sends keys to what has the focus.
func (b *browser) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// shortcut presses one key as a keyboard does: what it would type is left out if the page has used it.
func (b *browser) shortcut(key string) {
	b.t.Helper()
	for _, p := range []input.DispatchKeyEventParams{
		{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}, {Type: input.DispatchKeyEventTypeKeyUp, Key: key},
	} {
		_, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, p)
		require.NoError(b.t, err)
	}
}

// dark makes the page one for a dark screen, or not.
func (b *browser) dark(on bool) {
	b.t.Helper()
	value := "light"
	if on {
		value = "dark"
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
	require.NoError(b.t, err)
}

// picture writes a screenshot to docs/images, with -screenshots.
func (b *browser) picture(name string) {
	b.t.Helper()
	if !*screenshots {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	folder := filepath.Join("..", "..", "docs", "images")
	require.NoError(b.t, os.MkdirAll(folder, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644))
}
