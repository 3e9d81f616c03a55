package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// result is what became of a mutant: a line of the file of results.
type result struct {
	key
	Sum     string  `json:"sum"` // of the file it was made in
	Outcome string  `json:"verdict"`
	By      string  `json:"by,omitempty"`     // the tests that noticed
	Passed  int     `json:"passed,omitempty"` // how many suites of the sieve, which has let it through so far
	Seconds float64 `json:"seconds"`
	Finding string  `json:"finding,omitempty"`
}

// ledger is the file of results: the last line about a mutant counts.
type ledger struct {
	file string
	done map[key]result
}

// readLedger reads what is there; a last line that was cut off by the end of a run is
// nothing.
func readLedger(file string) (*ledger, error) {
	l := &ledger{file, map[key]result{}}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r result
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Outcome != "" {
			l.done[r.key] = r
		}
	}
	return l, lines.Err()
}

func (l *ledger) add(r result) error {
	l.done[r.key] = r
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s\n", text)
	return errors.Join(err, f.Close())
}

// due is the outcome of a mutant that the sieve has let through and that is still to be tried alone.
const due = "due"

// has reports whether there is an outcome of the mutant in the file as it is now.
func (l *ledger) has(m *mutant, sum string) bool {
	r, tried := l.done[m.key]
	return tried && r.Sum == sum && r.Outcome != due
}

// sifted reports whether the sieve has let the mutant through before.
func (l *ledger) sifted(m *mutant, sum string) bool {
	r := l.done[m.key]
	return r.Outcome == due && r.Sum == sum
}
