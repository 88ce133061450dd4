#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer's own entry point; its library is linked in by -sanitize=fuzzer.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*one)(const uint8_t *data, size_t size));

#endif
