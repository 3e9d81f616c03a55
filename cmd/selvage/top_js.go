package main

import "errors"

// topCmd is there to be refused: a browser has no terminal.
type topCmd struct {
	Addr string `arg:"" name:"ADDR" help:"The address of the inspector."`
}

// Run refuses.
func (*topCmd) Run() error {
	return errors.New("top: this build has no terminal; use one for a desktop or a server")
}
