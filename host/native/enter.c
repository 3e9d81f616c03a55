//go:build cgo

#include "enter.h"
#include "_cgo_export.h"

/* The call that this thread executes. A goroutine in C keeps its thread, also in a
 * callback, so no other goroutine sees the variable, and a context is valid if it is this
 * one. */
static _Thread_local struct {
	selvage_ctx ctx;
	uint32_t slot; /* of the host's table of calls; 0 for none */
} current;

int selvage_enter(selvage_ctx ctx, uint32_t slot, void *fn, void *arg) {
	selvage_ctx outer_ctx = current.ctx;
	uint32_t outer_slot = current.slot;
	current.ctx = ctx;
	current.slot = slot;
	int status = ((selvage_main)fn)(ctx, arg);
	current.ctx = outer_ctx;
	current.slot = outer_slot;
	return status;
}

/* Go unwinds past the C frames of this thread: selvage_enter will not return. */
void selvage_abandon(void) { current.slot = 0; }

int selvage_call(selvage_ctx ctx, selvage_func fn, void *arg, int64_t *result) {
	if (current.slot == 0 || ctx.host != current.ctx.host || ctx.call != current.ctx.call)
		return SELVAGE_NO_CONTEXT;
	return selvageServe(ctx.host, current.slot, fn, arg, result);
}
