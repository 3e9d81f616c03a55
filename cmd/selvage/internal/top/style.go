package top

import "github.com/charmbracelet/x/ansi"

// paint marks parts of the screen. Each mark is beside a text or sign that tells the same, and colors are for
// terminals only whose user has not set NO_COLOR.
type paint struct{ plain, colors bool }

func (p paint) with(s ansi.Style, text string) string {
	if p.plain || text == "" {
		return text
	}
	return s.Styled(text)
}

func (p paint) bold(text string) string   { return p.with(ansi.NewStyle().Bold(), text) }
func (p paint) faint(text string) string  { return p.with(ansi.NewStyle().Faint(), text) }
func (p paint) chosen(text string) string { return p.with(ansi.NewStyle().Reverse(true), text) }

// alarm is for a deadlock, a failure and a lost connection.
func (p paint) alarm(text string) string {
	if !p.colors {
		return p.bold(text)
	}
	return p.with(ansi.NewStyle().Bold().ForegroundColor(ansi.Red), text)
}
