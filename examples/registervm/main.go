package main

import "github.com/selvage-dev/selvage/examples/internal/command"

func main() { command.Main("registervm", "the assembly language of a register machine", run) }
