// Package client asks the inspector of a running program (package inspect, selvage run --inspect) for what its fibers
// do: the summary, parts of the list, one fiber, the wait-for graph, and the stream of events. With permission it
// cancels, kills, pauses and resumes fibers.
//
// It owns the forms of an address, the bounds of an answer, and the errors that tell what is wrong with a server
// and what to do. What it never does: trust the server, follow it to another one, or send the token anywhere else. The
// texts of an answer come from the program that is inspected, and reach a terminal only through Printable.
package client
