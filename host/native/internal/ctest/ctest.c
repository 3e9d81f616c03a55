//go:build cgo

#include "ctest.h"
#include "_cgo_export.h"

int ctest_work(selvage_ctx ctx, void *arg) {
	ctest_job *job = arg;
	job->Kept = ctx;
	for (int64_t i = 0; i < job->Times; i++) {
		int64_t result = 0;
		job->Status = selvage_call(ctx, job->Func, job->Data, &result);
		if (job->Status != SELVAGE_OK)
			break;
		job->Sum += result;
	}
	if (job->Insists)
		job->Again = selvage_call(ctx, job->Func, job->Data, NULL);
	job->Cleaned++;
	return job->Swallows ? SELVAGE_OK : job->Status;
}

struct elsewhere {
	selvage_ctx ctx;
	selvage_func fn;
	int status;
};

static void *call_elsewhere(void *arg) {
	struct elsewhere *e = arg;
	e->status = selvage_call(e->ctx, e->fn, NULL, NULL);
	return NULL;
}

int ctest_forge(selvage_ctx ctx, void *arg) {
	ctest_forgery *f = arg;
	selvage_ctx zero = {0, 0}, next = ctx, other = ctx;
	next.call++;
	other.host += 12345;
	struct elsewhere e = {ctx, f->Func, -1};
	pthread_t thread;
	f->Zero = selvage_call(zero, f->Func, NULL, NULL);
	f->Next = selvage_call(next, f->Func, NULL, NULL);
	f->OtherHost = selvage_call(other, f->Func, NULL, NULL);
	f->Outdated = selvage_call(f->Stale, f->Func, NULL, NULL);
	if (pthread_create(&thread, NULL, call_elsewhere, &e) == 0)
		pthread_join(thread, NULL);
	f->OtherThread = e.status;
	f->NoFunction = selvage_call(ctx, ~f->Func, NULL, NULL);
	f->NoResult = selvage_call(ctx, f->Func, NULL, NULL);
	return SELVAGE_OK;
}

int ctest_outside(ctest_job *job) {
	return selvage_call(job->Kept, job->Func, NULL, NULL);
}

int ctest_own(selvage_ctx ctx, void *arg) { return 1000; }

void ctest_plain(int64_t times) {
	for (int64_t i = 0; i < times; i++)
		ctestPlain(NULL);
}
