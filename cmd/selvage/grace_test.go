package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A command that does not end is ended after the grace time, and not before.
func TestACommandThatGoesOnIsEndedAfterTheGraceTime(t *testing.T) {
	for name, c := range map[string]struct {
		interrupted bool
		takes       time.Duration // after the interrupt
		exits       bool
	}{
		"it ends by itself": {takes: time.Hour},
		"it ends in time":   {interrupted: true, takes: 5*time.Second - 1},
		"it does not":       {interrupted: true, takes: 5*time.Second + 1, exits: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				begin := time.Now()
				var exited time.Duration
				status := 0
				var err bytes.Buffer
				stop := endAfterGrace(ctx, 5*time.Second, &err, func(s int) { status, exited = s, time.Since(begin) })
				if c.interrupted {
					interrupt()
				}
				<-time.NewTimer(c.takes).C
				stop()
				if c.exits != (status == statusInterrupted && exited == 5*time.Second && err.Len() > 0) || !c.exits && err.Len() > 0 {
					t.Errorf("status %d after %v: %s", status, exited, &err)
				}
			})
		})
	}
}

func TestTheGraceTimeIsASetting(t *testing.T) {
	t.Setenv("SELVAGE_GRACE", "later")
	guest(t, "").want(t, statusUsage, "SELVAGE_GRACE", "later")
	t.Setenv("SELVAGE_GRACE", "-1s")
	guest(t, "").want(t, statusUsage, "--grace -1s: want 0 or more")
	if err := os.Unsetenv("SELVAGE_GRACE"); err != nil {
		t.Fatal(err)
	}
	for _, piece := range []string{"--grace=TIME", "(5s)", "$SELVAGE_GRACE"} {
		if out := selvage(t, "--help").out; !strings.Contains(out, piece) {
			t.Errorf("the help lacks %q:\n%s", piece, out)
		}
	}
}

func TestAnInterruptEndsAListOfScripts(t *testing.T) {
	files{"a.txt": "nonsense\n", "b.txt": "nonsense\n"}.write(t)
	for _, args := range [][]string{{"script", "a.txt", "b.txt"}, {"script", "--actors", "a.txt", "b.txt"}, {"script", "--rewrite", "a.txt"}} {
		ctx, interrupt := context.WithCancel(t.Context())
		interrupt()
		var out, err bytes.Buffer
		status := run(ctx, args, streams{&out, &err})
		ending{status, out.String(), err.String()}.want(t, statusInterrupted, "selvage: interrupted\n")
		if out.Len() > 0 {
			t.Errorf("%v went on: %s", args, &out)
		}
	}
}
