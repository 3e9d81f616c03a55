// Package twintest is what the tests of every twin have in common: a graph has the size that
// the model's has, everything occurs in it, and each known mistake breaks the rule that it is
// to break.
//
// It owns no table: sizes, rules and mistakes are those of the twin that is tested.
//
// What it never does: know what a machine means.
package twintest
