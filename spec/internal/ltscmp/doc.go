// Command ltscmp reads the edges that a model prints when it is built with -DLTS
// and compares them, one by one, with the graph of its twin in Go. It exits with 1 unless
// both graphs are equal: same states, same actions, same answers.
//
//	./pan -m3000000 | ltscmp scheduler -f 2 -t 1 -k 1 -w 1
//
// Lines that do not begin with "E " are the verifier's own: they are passed on for
// check.sh to read.
//
// It owns no table: what is right is spec's graph and what is compared is the text of
// an edge. It never explores a model itself, and a difference is never tolerated.
package main
