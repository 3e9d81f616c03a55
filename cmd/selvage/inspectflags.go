package main

import (
	"errors"
	"fmt"
	"strings"
)

// minToken is how long a token is at least, so that it cannot be guessed.
const minToken = 16

// inspectFlags choose what the inspector shows, and to which clients.
type inspectFlags struct {
	Inspect        string `help:"Show what the fibers do while the program runs, as a page at this address, HOST:PORT; port 0 chooses a free one. stderr tells the address." placeholder:"ADDR"`
	InspectToken   string `env:"SELVAGE_INSPECT_TOKEN" aliases:"token" help:"What a client of that page must know; without it, one is made up if other machines can reach the address." placeholder:"TEXT"`
	InspectValues  bool   `help:"Let the page show what the variables of the program hold."`
	InspectControl bool   `help:"Let the page cancel, kill, pause and resume fibers."`
	InspectHold    bool   `help:"When the run has ended, go on showing its last state until Ctrl-C."`
}

func (f inspectFlags) check(copies int, schedule string) error {
	switch {
	case f.Inspect == "" && (f.InspectValues || f.InspectControl || f.InspectHold):
		return errors.New("--inspect-values, --inspect-control, --inspect-hold: there is no page; give --inspect ADDR too")
	case f.Inspect == "":
		return nil
	case copies > 1:
		return errors.New("--inspect: a page shows one program; leave --copies out")
	case schedule != "":
		return errors.New("--inspect: a run under a --schedule has no page; leave one of them out")
	}
	return checkToken(f.InspectToken)
}

// checkToken refuses what can be guessed, and what does not fit into an address and a cookie.
func checkToken(token string) error {
	if token == "" {
		return nil
	}
	strange := strings.ContainsFunc(token, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-._~", c))
	})
	if strange || len(token) < minToken {
		return fmt.Errorf("--inspect-token: want at least %d letters, digits and -._~", minToken)
	}
	return nil
}
