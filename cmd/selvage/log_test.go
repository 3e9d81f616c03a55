package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recordsOf are the records on stderr, without their times.
func recordsOf(t *testing.T, text string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		record := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(line), &record), line)
		require.Contains(t, record, "time")
		delete(record, "time")
		all = append(all, record)
	}
	return all
}

func TestALogHasADeadlockAsRecords(t *testing.T) {
	e := guest(t, `local a, b = fiber.mutex(), fiber.mutex()
fiber.spawn(function() a:lock() fiber.sleep(1) b:lock() end):name("ab")
fiber.spawn(function() b:lock() fiber.sleep(1) a:lock() end):name("ba")
fiber.spawn(function() error("boom") end):name("bad")
fiber.chan(3):recv()`, "--virtual", "--log=json")
	require.Equal(t, statusDeadlock, e.status)
	all := recordsOf(t, e.err)
	require.Len(t, all, 5)
	require.Contains(t, all[0]["traceback"], "p.lua:4: in function")
	delete(all[0], "traceback")
	require.Equal(t, []map[string]any{
		{"level": "ERROR", "msg": "fiber failed", "fiber": "f3.1", "name": "bad", "reason": "p.lua:4: boom"},
		{"level": "ERROR", "msg": "fiber is blocked", "fiber": "f0.1", "name": "main", "site": "p.lua:5", "reason": `chan "p.lua:5 #3" (0 of 3 buffered, receivers waiting: 1, senders waiting: 0)`},
		{"level": "ERROR", "msg": "fiber is blocked", "fiber": "f1.1", "name": "ab", "site": "p.lua:2", "reason": `mutex "p.lua:1 #2" (owner f2.1, waiting: 1)`, "holders": "f2.1"},
		{"level": "ERROR", "msg": "fiber is blocked", "fiber": "f2.1", "name": "ba", "site": "p.lua:3", "reason": `mutex "p.lua:1 #1" (owner f1.1, waiting: 1)`, "holders": "f1.1"},
	}, all[:4])
	delete(all[4], "totals")
	require.Equal(t, map[string]any{"level": "ERROR", "msg": "deadlock", "fibers": 3.0, "cycle": "f1.1 f2.1", "status": 3.0}, all[4])
}

func TestEveryEndOfARunIsARecord(t *testing.T) {
	for program, want := range map[string]struct {
		level, message, reason string
		status                 int
	}{
		`print(1)`:          {"INFO", "run ended", "", statusDone},
		`error("no luck")`:  {"ERROR", "run failed", "p.lua:1: no luck", statusGuest},
		`os.exit(7)`:        {"INFO", "run ended", "", 7},
		`while true do end`: {"ERROR", "quota used up", "the quota is used up: steps, limit 1000", statusGuest},
		`this is no Lua`:    {"ERROR", "run failed", "", statusGuest},
	} {
		e := guest(t, program, "--virtual", "--log=json", "--max-steps=1000")
		require.Equal(t, want.status, e.status, program)
		all := recordsOf(t, e.err)
		require.Len(t, all, 1, program)
		require.Equal(t, []any{want.level, want.message, float64(want.status)}, []any{all[0]["level"], all[0]["msg"], all[0]["status"]}, program)
		require.Contains(t, fmt.Sprint(all[0]["reason"]), want.reason)
	}
}

func TestEachCopyHasItsNumberInTheLog(t *testing.T) {
	all := recordsOf(t, guest(t, `print(1)`, "--virtual", "--log=json", "--copies=3").err)
	seen := map[any]bool{}
	for _, r := range all {
		require.Equal(t, "run ended", r["msg"])
		seen[r["copy"]] = true
	}
	require.Equal(t, map[any]bool{1.0: true, 2.0: true, 3.0: true}, seen)
}

func TestALogOfAnotherLanguageIsTheSame(t *testing.T) {
	files{"p.go": "package main\n\nfunc main() { panic(\"boom\") }\n", "p.wasm": "no module"}.write(t)
	e := selvage(t, "run", "--log=text", "p.go")
	e.want(t, statusPanic, `level=ERROR msg="run failed" reason="panic: boom`, "status=2", "totals.spawned=1")
	e = selvage(t, "run", "--log=json", "--metrics=:0", "p.go")
	require.Equal(t, "metrics", recordsOf(t, e.err)[0]["msg"])
	selvage(t, "run", "--log=json", "p.wasm").want(t, statusGuest, "p.wasm")
}

func TestALogIsRefusedWithASchedule(t *testing.T) {
	guest(t, `print(1)`, "--log=json", "--schedule=fifo").want(t, statusUsage, "--log")
	guest(t, `print(1)`, "--log=xml").want(t, statusUsage, "--log")
}
