#include "CSwiftRuntime.h"

typedef struct {
  void *identity;
  uintptr_t implementation;
} executor_reference;

// Exported by libswift_Concurrency (Concurrency.h, `swift_task_getCurrentExecutor`). Weak, so that a runtime without it
// still loads: the callers then do without.
__attribute__((swiftcall, weak)) executor_reference swift_task_getCurrentExecutor(void);

flowrecorder_executor flowrecorder_current_executor(void) {
  if (!swift_task_getCurrentExecutor) return (flowrecorder_executor){0, 0};
  executor_reference current = swift_task_getCurrentExecutor();
  return (flowrecorder_executor){current.identity, current.implementation};
}
