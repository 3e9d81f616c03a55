package top

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"github.com/selvage-dev/selvage/inspect/client"
)

// Terminal tells whether a stream is a terminal.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// Run shows a program on a terminal until the user quits, or ctx ends, which is its error then. The list is asked for
// again after each interval. The environment decides on colors, as NAME=VALUE. When it returns, the terminal is as it
// was, and all goroutines have ended.
func Run(ctx context.Context, c *client.Client, interval time.Duration, in io.Reader, out io.Writer, environment []string) error {
	first, err := c.Summary(ctx)
	if err != nil {
		return err
	}
	l := newLoader(c, interval)
	colors := !slices.ContainsFunc(environment, func(v string) bool { return strings.HasPrefix(v, "NO_COLOR=") && v != "NO_COLOR=" })
	m := newModel(c.Host(), first, paint{colors: colors}, l.ask, l.do)
	options := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(environment), tea.WithoutSignalHandler()}
	if !colors {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	p := tea.NewProgram(m, options...)
	l.start(ctx, p.Send)
	defer l.stop()
	l.done.Go(func() {
		<-l.over
		p.Quit() // tea.WithContext would leave the goroutine behind that reads the keys
	})
	if _, err = p.Run(); err != nil {
		return err
	}
	return ctx.Err()
}
