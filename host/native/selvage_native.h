/* What C code on a fiber may call. docs/native.md has the rules. */
#ifndef SELVAGE_NATIVE_H
#define SELVAGE_NATIVE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One call of a C function by native.Host.Call. It is valid on the thread of the call, until
 * that function returns. C must not use its fields. */
typedef struct {
	uintptr_t host;
	uint64_t call;
} selvage_ctx;

/* The number of a host function, from native.Host.Register. */
typedef uint64_t selvage_func;

/* A function that native.Host.Call calls. It returns SELVAGE_OK, a status of selvage_call, or
 * any other number as an error of its own. */
typedef int (*selvage_main)(selvage_ctx ctx, void *arg);

enum {
	SELVAGE_OK = 0,
	SELVAGE_FAILED = 1,        /* the function returned an error */
	SELVAGE_CANCELLED = 2,     /* the fiber is cancelled: clean up and return */
	SELVAGE_NO_CONTEXT = 3,    /* the context is not the current call on this thread */
	SELVAGE_NO_FUNCTION = 4,   /* no function is registered with that number */
	SELVAGE_FOREIGN_STACK = 5, /* the fiber's stack is a coroutine and cannot wait here */
	SELVAGE_LIMIT = 6,         /* too many calls, or too deep */
	/* The following are final: every later call is refused with the same status. */
	SELVAGE_KILLED = 16,   /* the fiber is killed */
	SELVAGE_PANICKED = 17, /* the function panicked; the panic continues when C has returned */
	SELVAGE_EXITED = 18    /* the function ended its goroutine; so does the fiber */
};

/* Calls a host function with arg, waits for it, and stores its value in *result if the
 * status is SELVAGE_OK. result may be NULL. */
int selvage_call(selvage_ctx ctx, selvage_func fn, void *arg, int64_t *result);

#ifdef __cplusplus
}
#endif

#endif
