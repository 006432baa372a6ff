# Reads the output of `swift test` for one target and writes what came of it.
#   mode=counts     one line: passed failed skipped
#   mode=skipped    a line for each test that was skipped
#   mode=failed     a line for each test that failed, or that had begun when the run ended
#   mode=failures   all that was reported about failures, long lines cut in the middle
# Run it with LC_ALL=C: it counts bytes.

# The name in a line of Swift Testing such as `✔ Test "a name" passed after 0.1 seconds.`
function name(line, verb) {
  sub(/^[^ ]+ Test /, "", line)
  sub(verb ".*", "", line)
  return line
}

# At most 2,000 bytes of a line: its beginning and its end, where the place and the reason are.
function cut(line,    head, tail) {
  if (length(line) <= 2000) return line
  head = 600
  while (substr(line, head + 1, 1) ~ /^[\200-\277]/) head--
  tail = length(line) - 1299
  while (substr(line, tail, 1) ~ /^[\200-\277]/) tail++
  return substr(line, 1, head) " [... " (tail - head - 1) " bytes cut ...] " substr(line, tail)
}

/^◇ Test .* started\.$/ && !/^◇ Test (run|case) / { begun[name($0, " started\\.$")] = 1 }
/^(✔|━) Test .* passed after / && !/^✔ Test (run|case) / { passed++; delete begun[name($0, " (with [0-9,]+ test cases? )?passed after ")] }
/^✘ Test .* failed after / && !/^✘ Test (run|case) / {
  failed++
  delete begun[name($0, " (with [0-9,]+ test cases? )?failed after ")]
  failures[failed] = name($0, " (with [0-9,]+ test cases? )?failed after ")
}
/^➜ Test .* (skipped|was cancelled)/ && !/^➜ Test (run|case) / {
  skipped++
  delete begun[name($0, " (with [0-9,]+ test cases? )?(skipped|was cancelled)")]
  text = $0
  sub(/^➜ Test /, "", text)
  sub(/ skipped: /, ": ", text)
  sub(/ was cancelled after [^:]*: /, ": ", text)
  gave[skipped] = text
}
/^(✔|✘) Test run with [0-9,]+ tests? / { total = $5; gsub(/,/, "", total); closed = 1 }

# What belongs to a failure: an issue with the lines behind it, and what a crash leaves.
/^✘ / { telling = !/^✘ (Test run|Suite) /; if (telling && / failed after /) telling = 0 }
/^(◇|✔|➜|━) / { telling = 0 }
/(Fatal error|Precondition failed|Assertion failed): |^\*\*\* |exited with unexpected signal|: error: |^error: / { crash = crash cut($0) "\n" }
/^Thread [0-9]+ .*crashed:/ { thread = 1 }
thread && /^$/ { if (thread++ > 1) thread = 0 }
thread { crash = crash cut($0) "\n" }
telling { issues = issues cut($0) "\n" }

END {
  for (test in begun) unfinished[++left] = test
  if (closed) {
    left = 0
    passed = total - failed - skipped
  }
  if (mode == "counts") print passed + 0, failed + left, skipped + 0
  if (mode == "skipped") for (i = 1; i <= skipped; i++) print gave[i]
  if (mode == "failed") {
    for (i = 1; i <= failed; i++) print failures[i]
    for (i = 1; i <= left; i++) print unfinished[i] " (had begun and did not end)"
  }
  if (mode == "failures") {
    printf "%s", issues
    if (!closed) printf "%s", crash
  }
}
