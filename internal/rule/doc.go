// Package rule names the rules of the contract, so that every report of a broken one
// cites the same list. The statements are in package fiber and in docs/invariants.md; a
// test in internal/policy holds the two and this list against each other.
//
// It owns nothing and does nothing. The packages that report broken contracts use it:
// scheduler, wait, scope, trampoline, stackful, island, actor and the hosts.
package rule
