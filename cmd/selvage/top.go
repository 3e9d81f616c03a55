//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/selvage-dev/selvage/cmd/selvage/internal/top"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// minInterval is the shortest time between two requests for the list.
const minInterval = 100 * time.Millisecond

type topCmd struct {
	InspectToken string        `env:"SELVAGE_INSPECT_TOKEN" aliases:"token" help:"The token of the inspector, if the address does not have it; also --token." placeholder:"TEXT"`
	Interval     time.Duration `default:"1s" help:"After how long the list is asked for again (${default})." placeholder:"TIME"`
	Once         bool          `help:"Print one frame as plain text, and exit; so it does without a terminal on stdout."`
	Limit        int           `default:"20" help:"How many fibers that text has at most (${default})." placeholder:"N"`
	Addr         string        `arg:"" name:"ADDR" help:"The address of the inspector: HOST:PORT, or the URL that selvage run --inspect has printed."`
}

// Run shows a running program.
func (c *topCmd) Run(ctx context.Context, io streams) error {
	switch {
	case c.Interval < minInterval:
		return fmt.Errorf("--interval %v: want %v or more", c.Interval, minInterval)
	case c.Limit < 0 || c.Limit > inspect.MaxList:
		return fmt.Errorf("--limit %d: want a number from 0 to %d", c.Limit, inspect.MaxList)
	}
	asks, err := client.New(c.Addr, client.Options{Token: c.InspectToken})
	if err != nil {
		return err
	}
	defer asks.Close()
	if c.Once || !top.Terminal(io.out) {
		err = top.Once(ctx, asks, c.Limit, io.out)
	} else {
		err = top.Run(ctx, asks, c.Interval, os.Stdin, io.out, os.Environ())
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return status(statusInterrupted)
	}
	return err
}

// Help is what selvage top --help says besides the lists.
func (topCmd) Help() string {
	return `The program runs with an inspector, such as that of

    selvage run --inspect 127.0.0.1:8080 server.lua

ADDR is its address: 127.0.0.1:8080, or the URL on stderr, which has the token if there is one.

The head has the program, whether it runs or how it has ended, how many fibers and native calls there are, and what happens
per second. Below are the fibers, sorted and searched by the program's inspector, so that 100,000 are no burden:
only the rows on the screen are asked for. A lost connection is made again. When the run has ended, the last state
stays until q.

Keys:

` + top.Keys + `

p, c and k need an inspector that may change something: selvage run --inspect-control.

In the list, > is the chosen fiber, P one that is paused, and ▲ or ▼ the column by which it is sorted. Colors only
repeat what signs and words say, and NO_COLOR turns them off.

Exit status: 0 quit, or the text is printed; 2 the address is wrong, or there is no inspector; 130 interrupted.

Examples:

    selvage top 127.0.0.1:8080
    selvage top 'http://10.0.0.7:8080/?token=TEXT'
    selvage top --once --limit 100 127.0.0.1:8080 | grep blocked`
}
