/* What C code on a fiber may call. docs/native.md has the rules. */
#ifndef SELVAGE_NATIVE_H
#define SELVAGE_NATIVE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One call of a C function by native.Host.Call. It is good on the thread it was given on,
 * until that function returns. What is in it is not for C to know. */
typedef struct {
	uintptr_t host;
	uint64_t call;
} selvage_ctx;

/* A function of the host, as native.Host.Register names it. */
typedef uint64_t selvage_func;

/* What native.Host.Call calls. It returns SELVAGE_OK, a status it was given, or any other
 * number as an error of its own. */
typedef int (*selvage_main)(selvage_ctx ctx, void *arg);

enum {
	SELVAGE_OK = 0,
	SELVAGE_FAILED = 1,        /* the function returned an error */
	SELVAGE_CANCELLED = 2,     /* the fiber is cancelled: clean up and return */
	SELVAGE_NO_CONTEXT = 3,    /* the context is not of a call on this thread, now */
	SELVAGE_NO_FUNCTION = 4,   /* no function is registered by that number */
	SELVAGE_FOREIGN_STACK = 5, /* the fiber's stack is a coroutine and cannot wait here */
	SELVAGE_LIMIT = 6,         /* too many calls, or too deep */
	/* From here on it is final: every call is refused with the same status. */
	SELVAGE_KILLED = 16,   /* the fiber is killed */
	SELVAGE_PANICKED = 17, /* the function panicked; the panic goes on when C has returned */
	SELVAGE_EXITED = 18    /* the function ended its goroutine; so does the fiber */
};

/* Calls a function of the host with arg, waits for it, and stores what it returns in
 * *result if the status is SELVAGE_OK. result may be NULL. */
int selvage_call(selvage_ctx ctx, selvage_func fn, void *arg, int64_t *result);

#ifdef __cplusplus
}
#endif

#endif
