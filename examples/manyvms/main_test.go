package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the program prints into main.out")

// The limits count instructions and fibers, so the output does not depend on time.
func TestEachGuestEndsAtItsOwnLimit(t *testing.T) {
	var out bytes.Buffer
	runAll(t.Context(), guests(), &out)
	if *rewrite {
		if err := os.WriteFile("main.out", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("main.out")
	if err != nil || out.String() != string(want) {
		t.Errorf("%v: it printed\n%s\nwant\n%s", err, &out, want)
	}
}

func TestTheHostEndsAllGuests(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out bytes.Buffer
	runAll(ctx, []string{".<", "s<", "..."}, &out)
	if want := "   1 ...   context canceled\n   1 .<    context canceled\n   1 s<    context canceled\n"; out.String() != want {
		t.Errorf("it printed\n%s\nwant\n%s", &out, want)
	}
}
