package main

import "github.com/selvage-dev/selvage/examples/internal/command"

func main() { command.Main("treevm", "a small Lisp", run) }
