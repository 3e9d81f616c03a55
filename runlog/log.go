package runlog

import (
	"context"
	"errors"
	"log/slog"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// defaultFibers is what a zero Config.Fibers means.
const defaultFibers = 100

// Config is what a Log is made with. The zero Config is usable.
type Config struct {
	// Logger receives the records; nil is slog.Default. Its handler decides about form and level, and is called on
	// the goroutine that owns the scheduler, whose fibers wait meanwhile.
	Logger *slog.Logger
	// Fibers is how many fibers of a deadlock or a leak have a record each; the record of the end has the number of
	// all. 0 or less is 100.
	Fibers int
	// Details are further attributes of an error, such as the traceback of a guest; nil adds none.
	Details func(error) []slog.Attr
}

// Log writes records of one scheduler.
type Log struct {
	to      *slog.Logger
	fibers  int
	details func(error) []slog.Attr
}

// New makes a Log.
func New(cfg Config) *Log {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Fibers <= 0 {
		cfg.Fibers = defaultFibers
	}
	if cfg.Details == nil {
		cfg.Details = func(error) []slog.Attr { return nil }
	}
	return &Log{to: cfg.Logger, fibers: cfg.Fibers, details: cfg.Details}
}

// Configure has a scheduler that is made with the Config report here: each fiber that failed and was not joined, as an
// error; and, if the handler wants the level Debug, each result that no fiber took. Kills and cancellations lose some as a
// matter of course. Hooks that the Config has already are called too, after the record is written.
func (l *Log) Configure(cfg *scheduler.Config) {
	unobserved := cfg.Unobserved
	cfg.Unobserved = func(e *scheduler.UnobservedError) {
		l.failed(e)
		if unobserved != nil {
			unobserved(e)
		}
	}
	if l.to.Enabled(context.Background(), slog.LevelDebug) {
		l.configureLosses(cfg)
	}
}

func (l *Log) configureLosses(cfg *scheduler.Config) {
	lost, dropped := cfg.Lost, cfg.Dropped
	cfg.Lost = func(t fiber.Ticket) {
		l.write(slog.LevelDebug, "result lost", slog.String("fiber", t.ID.String()))
		if lost != nil {
			lost(t)
		}
	}
	cfg.Dropped = func(tok fiber.Token, done ioqueue.Completion) {
		l.dropped(tok, done)
		if dropped != nil {
			dropped(tok, done)
		}
	}
}

func (l *Log) failed(e *scheduler.UnobservedError) {
	attrs := []slog.Attr{slog.String("fiber", e.ID.String()), slog.String("name", e.Name)}
	l.write(slog.LevelError, "fiber failed", append(attrs, l.failure(e.Err)...)...)
}

func (l *Log) dropped(tok fiber.Token, done ioqueue.Completion) {
	attrs := []slog.Attr{slog.Uint64("operation", uint64(tok)), slog.Int("n", done.N)}
	if done.Err != nil {
		attrs = append(attrs, slog.String("reason", done.Err.Error()))
	}
	l.write(slog.LevelDebug, "completion dropped", attrs...)
}

// failure are the attributes of an error: what it says, and where a panic began.
func (l *Log) failure(err error) []slog.Attr {
	if err == nil {
		return nil
	}
	attrs := []slog.Attr{slog.String("reason", err.Error())}
	var p *scheduler.PanicError
	if errors.As(err, &p) && p.Site != "" {
		attrs = append(attrs, slog.String("site", p.Site))
	}
	return append(attrs, l.details(err)...)
}

// write leaves out attributes whose text is empty.
func (l *Log) write(level slog.Level, message string, attrs ...slog.Attr) {
	known := attrs[:0:0]
	for _, a := range attrs {
		if a.Value.Kind() != slog.KindString || a.Value.String() != "" {
			known = append(known, a)
		}
	}
	l.to.LogAttrs(context.Background(), level, message, known...)
}
