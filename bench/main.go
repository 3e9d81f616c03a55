package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"
)

type options struct {
	short, json, peers bool
	margin             float64
	document           string
}

func main() {
	if actAsClients() || actAlone() {
		return
	}
	var o options
	run := flag.String("run", "", "measure the rows whose id, work or peer matches this `regexp`")
	flag.BoolVar(&o.short, "short", false, "fewer and shorter samples: every row in under a minute")
	flag.BoolVar(&o.json, "json", false, "print one JSON object a line instead of the table")
	flag.BoolVar(&o.peers, "peers", false, "also measure beside Lua, LuaJIT, Erlang and tokio, where they are installed")
	flag.StringVar(&o.document, "document", "", "write performance.md and performance.svg into this `folder`")
	flag.Float64Var(&o.margin, "margin", defaultMargin, "the `share` by which a ratio may miss its goal")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the run to this `file`; go doc ./bench says how default.pgo is made")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, "Measure Selvage beside its peers, in one process and in turn.\nStatus 1 if a goal is missed by more than the noise margin.\n\nusage: go run ./bench [flags]\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	pattern, err := regexp.Compile(*run)
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "bench: give at most flags, and a regular expression to -run:", err, flag.Args())
		os.Exit(2)
	}
	if info, err := os.Stat(o.document); o.document != "" && (err != nil || !info.IsDir()) {
		fmt.Fprintf(os.Stderr, "bench: -document %s: want a folder that is there\n", o.document)
		os.Exit(2)
	}
	stop, err := profiled(*profile)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: no profile:", err)
		os.Exit(2)
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() { // it lives as long as the program
		<-interrupted
		_ = os.RemoveAll(scratch())
		os.Exit(130)
	}()
	ok := report(o, pattern)
	_ = os.RemoveAll(scratch())
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "bench: the profile is not whole:", err)
		ok = false
	}
	if !ok {
		os.Exit(1)
	}
}

// profiled starts a CPU profile and returns the function that stops it; a no-op if there is no
// file.
func profiled(file string) (stop func() error, err error) {
	if file == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

func report(o options, pattern *regexp.Regexp) (ok bool) {
	runtime.GOMAXPROCS(1)
	samples := 11
	if o.short {
		samples = 5
	}
	rows := allRows()
	if o.peers {
		rows = append(rows, runtimeRows()...)
	}
	rows = selected(rows, pattern)
	if len(rows) == 0 {
		fmt.Fprintf(os.Stderr, "bench: no row matches %v; try -run P01\n", pattern)
		return false
	}
	total := 0
	for i := range rows {
		if o.short {
			rows[i].shorten()
		}
		total += rows[i].samples(samples)
	}
	p := newProgress(total)
	if !o.json {
		fmt.Printf("%-4s %-42s %10s %-28s %10s %8s %8s %7s\n", "id", "work", "ours ns", "peer", "peer ns", "ratio", "goal", "spread")
	}
	ok = true
	var all []result
	for _, r := range rows {
		res := r.measure(samples, o.margin, p.tick)
		p.clear()
		if r.failed != nil && r.failed() != nil {
			fmt.Fprintf(os.Stderr, "bench: %s, %s: left out: %v\n", r.peer, r.work, r.failed())
			continue
		}
		ok = ok && res.OK
		all = append(all, res)
		if err := show(res, o.json); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			return false
		}
	}
	if o.document != "" {
		if err := document(o.document, thisMachine(), all); err != nil {
			fmt.Fprintln(os.Stderr, "bench: nothing is documented:", err)
			return false
		}
	}
	return ok
}

func selected(rows []row, pattern *regexp.Regexp) []row {
	return slices.DeleteFunc(rows, func(r row) bool {
		return !pattern.MatchString(r.id) && !pattern.MatchString(r.work) && !pattern.MatchString(r.peer)
	})
}

func show(r result, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	mark := ""
	if !r.OK {
		mark = "  MISSED"
	}
	_, err := fmt.Printf("%-4s %-42s %10.1f %-28s %10.1f %7.2f× %8s %6.0f%%%s\n",
		r.ID, r.Work, r.Ours, r.Peer, r.Theirs, r.Ratio, r.goal(), 100*r.Spread, mark)
	return err
}

// progress is one line on a terminal's stderr with an estimate of what is left.
type progress struct {
	done, total int
	start       time.Time
	shown       bool
}

func newProgress(total int) *progress {
	p := &progress{total: total, start: time.Now()}
	info, err := os.Stderr.Stat()
	p.shown = err == nil && info.Mode()&os.ModeCharDevice != 0
	return p
}

func (p *progress) tick() {
	p.done++
	if p.shown {
		spent := time.Since(p.start)
		left := spent / time.Duration(p.done) * time.Duration(p.total-p.done)
		fmt.Fprintf(os.Stderr, "\r\033[K%d/%d samples, about %v left", p.done, p.total, left.Round(time.Second))
	}
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(os.Stderr, "\r\033[K")
	}
}
