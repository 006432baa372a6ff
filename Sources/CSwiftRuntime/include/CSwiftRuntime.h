// The one function of the Swift runtime that Swift code cannot call: which executor runs the current task.
#ifndef C_SWIFT_RUNTIME_H
#define C_SWIFT_RUNTIME_H

#include <stdint.h>

/// A reference to a serial executor, as the runtime passes it around.
typedef struct {
  /// The actor, or its custom executor; NULL if the calling code runs on neither.
  void *_Nullable identity;
  /// 0 if `identity` is an actor that has no executor of its own.
  uintptr_t implementation;
} flowrecorder_executor;

/// Returns the executor that runs the calling code; no identity if there is none, or if this runtime cannot say.
flowrecorder_executor flowrecorder_current_executor(void);

#endif
