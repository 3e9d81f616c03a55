#ifndef CTEST_H
#define CTEST_H

#include <pthread.h>
#include "selvage_native.h"

/* A job: how often to call which function, and what came of it. */
typedef struct {
	selvage_func Func;
	void *Data;
	int64_t Times;   /* calls to make, until one fails */
	int Insists;     /* calls again after a failure */
	int Swallows;    /* returns SELVAGE_OK whatever happens */
	int64_t Sum;     /* of the results */
	int Status;      /* of the last call */
	int Again;       /* of the call after the failure */
	int Cleaned;     /* how often it got to its end */
	selvage_ctx Kept; /* its context */
} ctest_job;

/* What was answered to whom C is not. */
typedef struct {
	selvage_func Func;
	selvage_ctx Stale;
	int Zero, Next, OtherHost, Outdated, OtherThread, NoFunction, NoResult;
} ctest_forgery;

int ctest_work(selvage_ctx ctx, void *arg);
int ctest_forge(selvage_ctx ctx, void *arg);
int ctest_outside(ctest_job *job);
int ctest_own(selvage_ctx ctx, void *arg);
void ctest_plain(int64_t times);

#endif
