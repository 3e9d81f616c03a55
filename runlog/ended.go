package runlog

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Ended writes how a run has ended, with what Run or the host returned, and more attributes if there are some: at level
// Info that it is done, Warn that it was interrupted by its context, Error why it failed. A deadlock and a leak have a
// record for each fiber before that. The owner of the scheduler calls it, after the run.
func (l *Log) Ended(of scheduler.Inspect, err error, more ...slog.Attr) {
	end := append(slices.Clone(more), l.totals(of))
	var deadlock *scheduler.DeadlockError
	var leak *scheduler.LeakError
	var passed *quota.Error
	switch {
	case err == nil:
		l.write(slog.LevelInfo, "run ended", end...)
	case errors.As(err, &deadlock):
		l.blocked("deadlock", deadlock.Report, end)
	case errors.As(err, &leak):
		l.blocked("leak", leak.Report, end)
	case errors.As(err, &passed):
		l.write(slog.LevelError, "quota used up", slices.Concat(l.failure(err), []slog.Attr{
			slog.String("account", passed.Account), slog.String("resource", passed.Resource.String()), slog.Int64("limit", passed.Limit)}, end)...)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		l.write(slog.LevelWarn, "run interrupted", append([]slog.Attr{slog.String("reason", err.Error())}, end...)...)
	default:
		l.write(slog.LevelError, "run failed", append(l.failure(err), end...)...)
	}
}

// totals are the counts of the run. Wake-ups that were refused have a record of their own: an object has decided twice.
func (l *Log) totals(of scheduler.Inspect) slog.Attr {
	n := of.Counts()
	if n.RefusedWakes > 0 {
		l.write(slog.LevelWarn, "wake-ups refused", slog.Uint64("count", n.RefusedWakes))
	}
	return slog.Group("totals", slog.Uint64("spawned", n.Spawned), slog.Uint64("ended", n.Ended), slog.Uint64("killed", n.Killed),
		slog.Uint64("lost", n.Lost), slog.Uint64("transitions", of.Transitions()))
}

// blocked writes the fibers of a report, and then what they are in.
func (l *Log) blocked(what string, r *scheduler.Report, end []slog.Attr) {
	for i := range r.Fibers[:min(len(r.Fibers), l.fibers)] {
		f := &r.Fibers[i]
		attrs := []slog.Attr{
			slog.String("fiber", f.ID.String()), slog.String("name", f.Name), slog.String("site", f.Site),
			slog.String("reason", reasonOf(f)), slog.String("holders", list(f.Holders)),
		}
		l.write(slog.LevelError, "fiber is blocked", attrs...)
	}
	l.write(slog.LevelError, what, append([]slog.Attr{slog.Int("fibers", len(r.Fibers)), slog.String("cycle", list(r.Cycle))}, end...)...)
}

// reasonOf is what a fiber waits for.
func reasonOf(f *scheduler.BlockedFiber) string {
	switch {
	case f.Callee != 0:
		return "the native call " + f.Callee.String()
	case len(f.On) > 0:
		return strings.Join(f.On, "; ")
	}
	return f.Reason.String()
}

func list(ids []fiber.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return strings.Join(texts, " ")
}
