// Command checks measures next+yield over so many fibers, n times, and prints the
// nanoseconds it took. Row P21 of bench builds it twice: as it is, and with the checks of
// the transitions cut out.
//
// The table it owns is a scheduler with nothing else in it. What it never does: compare.
package main
