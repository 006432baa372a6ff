// libfaketime takes the end of every timer for one of the faked calendar, also that of a timer whose clock nobody sets, which then
// never fires. Loaded before it, this hands timers of other clocks to the system as they are.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { known = 4096 };
static char is_calendar[known];

int timerfd_create(int clock, int flags) {
  int timer = (int)syscall(SYS_timerfd_create, clock, flags);
  if (timer >= 0 && timer < known) is_calendar[timer] = clock == CLOCK_REALTIME;
  return timer;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *end, struct itimerspec *before) {
  if (timer < 0 || timer >= known || !is_calendar[timer])
    return (int)syscall(SYS_timerfd_settime, timer, flags, end, before);
  int (*next)(int, int, const struct itimerspec *, struct itimerspec *) =
      (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timerfd_settime");
  return next(timer, flags, end, before);
}
