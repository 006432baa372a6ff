#include "CProcess.h"

#include <sys/prctl.h>
#include <sys/timex.h>

int cprocess_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int cprocess_clock_is_kept(void) {
  struct timex state = {0};
  int answer = adjtimex(&state);
  return answer < 0 ? -1 : answer != TIME_ERROR;
}
