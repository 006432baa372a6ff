// What raw JetStream takes: the peer of scripts/fleet-bench.py.
//
//   jetstream_publish URL REPLICAS slices FILE...   each file is a message, one under way at a time
//   jetstream_publish URL REPLICAS records FILE     each line is a message, published asynchronously
//
// Makes a stream of its own, prints the seconds from the first message to the last acknowledgment, and removes the stream.
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(natsStatus status, const char *what) {
  if (status == NATS_OK) return;
  fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
  exit(1);
}

static char *content(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*length + 1);
  if (fread(bytes, 1, *length, file) != *length) { perror(path); exit(1); }
  fclose(file);
  bytes[*length] = 0;
  return bytes;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count < 5) { fprintf(stderr, "jetstream_publish URL REPLICAS slices|records FILE...\n"); return 64; }
  natsConnection *connection;
  jsCtx *stream;
  jsErrCode code;
  check(natsConnection_ConnectTo(&connection, arguments[1]), "connect");
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = 20000;
  options.PublishAsync.MaxPending = 4000;
  check(natsConnection_JetStream(&stream, connection, &options), "JetStream");
  const char *subjects[] = {"raw.>"};
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = "RAW";
  config.Subjects = subjects;
  config.SubjectsLen = 1;
  config.Replicas = atoll(arguments[2]);
  config.MaxBytes = 512 << 20;
  js_DeleteStream(stream, "RAW", NULL, &code);
  check(js_AddStream(NULL, stream, &config, NULL, &code), "add stream");
  double seconds = 0;
  if (strcmp(arguments[3], "slices") == 0) {
    for (int index = 4; index < count; index++) {
      size_t length;
      char *bytes = content(arguments[index], &length);
      double began = now();
      check(js_Publish(NULL, stream, "raw.log", bytes, (int)length, NULL, &code), "publish");
      seconds += now() - began;
      free(bytes);
    }
  } else {
    size_t length;
    char *bytes = content(arguments[4], &length), *line = bytes;
    double began = now();
    while (line < bytes + length) {
      char *end = strchr(line, '\n');
      if (!end) end = bytes + length;
      check(js_PublishAsync(stream, "raw.log", line, (int)(end - line), NULL), "publish");
      line = end + 1;
    }
    check(js_PublishAsyncComplete(stream, NULL), "acknowledgments");
    seconds = now() - began;
    free(bytes);
  }
  js_DeleteStream(stream, "RAW", NULL, &code);
  printf("%.6f\n", seconds);
  jsCtx_Destroy(stream);
  natsConnection_Destroy(connection);
  nats_Close();
  return 0;
}
