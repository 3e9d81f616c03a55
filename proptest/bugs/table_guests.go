package bugs

// guests are mistakes in what limits WebAssembly programs, and in the flags of a sandbox.
func guests() []Bug {
	const bulk, steps, fibers = "host/wasm/meter/bulk.go", "host/wasm/steps.go", "host/wasm/fibers"
	quotas := []Promise{"guest beyond its quota"}
	return []Bug{
		{"a copy to a higher address overwrites what it reads later", []Promise{"guest changed by its limits"},
			bulk, "opLocalGet, operand, opI32LessEqual, opIf", "opLocalGet, operand, opI32Greater, opIf", tests("host/wasm/meter", "TestBulkInstructionsDoWhatTheyDoWithoutMetering"), false},
		{"a part of a fill is free", quotas,
			bulk, "\tto = s.take(units(append(partSize(s.fuel(to, opGlobalGet)), opI64Extend)))\n", "", tests("host/wasm/meter", "TestBulkInstructionsArePaidForByTheirLength"), false},
		{"a fill out of bounds begins", []Promise{"guest changed by its limits"},
			bulk, "opI64Shl, opI64Greater, opBranchIf, 1)", "opI64Shl, opI64Greater, opBranchIf, 0)", tests("host/wasm/meter", "TestABulkInstructionOutOfBoundsChangesNothing"), false},
		{"code executes a slice beyond the quota", quotas,
			steps, "t.taken > left {", "false && t.taken > left {", tests(fibers, "TestNoFiberExecutesMoreThanIsLeft"), false},
		{"the steps before a wait are not taken", quotas,
			steps, "\tif t := c.tank(); t != nil {\n\t\tt.take(c)\n\t}\n}", "}", tests(fibers, "TestNoFiberExecutesMoreThanIsLeft"), false},
		{"a refused growth returns to the guest", quotas,
			"host/wasm/memory.go", "\t\t\tpanic(err)\n", "\t\t\treturn nil\n", tests(fibers, "TestAGuestThatHasPassedAQuotaExecutesNothingMore"), false},
		{"the memory of an ended instance stays taken", quotas,
			"host/wasm/memory.go", "\ta.group.Account().Give(quota.Memory, int64(a.taken))\n", "", tests(fibers, "TestMemoryThatIsGivenBackCanBeTakenAgain"), false},
		{"a directory to read inside of one to write stays one of its own", []Promise{"guest outside of its sandbox"},
			"cmd/selvage/directories.go", "host == other.Host || below(host, other.Host)", "host == other.Host", tests("cmd/selvage", "TestTheDirectoriesThatFlagsAllow"), false},
	}
}
