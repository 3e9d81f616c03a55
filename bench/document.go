package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"text/template"
	"time"
)

//go:embed performance.md.tmpl
var pageText string

// page is docs/performance.md, generated from the results of one run.
var page = template.Must(template.New("performance").Funcs(template.FuncMap{
	"goal":   result.goal,
	"number": readable,
}).Parse(pageText))

// machine describes the machine that the figures come from.
type machine struct {
	Processor, System, Go, Day string
	Cores                      int
	Profiled                   bool
}

// document writes performance.md and performance.svg into the folder.
func document(dir string, m machine, all []result) error {
	rows, beside := apart(all)
	var b strings.Builder
	err := page.Execute(&b, map[string]any{"Machine": m, "Rows": rows, "Missed": missed(rows), "Beside": beside})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "performance.md"), []byte(b.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "performance.svg"), []byte(plot(rows)), 0o644)
}

// apart separates the rows of this process from those beside other runtimes.
func apart(all []result) (rows, beside []result) {
	for _, r := range all {
		if r.Runtime {
			beside = append(beside, r)
		} else {
			rows = append(rows, r)
		}
	}
	return rows, beside
}

func missed(all []result) (names []string) {
	for _, r := range all {
		if !r.Met() {
			names = append(names, fmt.Sprintf("%s (%s): %.2f×, goal %.2f×", r.ID, r.Work, r.Ratio, r.Goal))
		}
	}
	return names
}

// thisMachine is what the system reports about itself.
func thisMachine() machine {
	return machine{
		Processor: processor(),
		System:    runtime.GOOS + "/" + runtime.GOARCH,
		Go:        runtime.Version(),
		Day:       time.Now().UTC().Format(time.DateOnly),
		Cores:     runtime.NumCPU(),
		Profiled:  profileUsed(),
	}
}

// processor is the name in /proc/cpuinfo, where there is one.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

// profileUsed reports whether the compiler was given a profile.
func profileUsed() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-pgo" {
			return s.Value != "off"
		}
	}
	return false
}

// readable formats a figure with three significant digits.
func readable(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3g M", v/1e6)
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
