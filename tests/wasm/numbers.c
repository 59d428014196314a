/* What the tests call: each export once, with nothing behind it but arithmetic and its own memory. */

#define EXPORT(name) __attribute__((export_name(#name)))

static int count;
static volatile unsigned char block[1 << 16];

EXPORT(add) int add(int left, int right) { return (int)((unsigned)left + (unsigned)right); }
EXPORT(negate) int negate(int value) { return -value; }
EXPORT(half) double half(double value) { return value / 2; }
EXPORT(narrow) float narrow(float value) { return value; }
EXPORT(same) double same(double value) { return value; }
EXPORT(nothing) void nothing(void) {}
EXPORT(with_a_long_name) int with_a_long_name(void) { return 7; }
EXPORT(hidden) int hidden(void) { return 8; }
EXPORT(bump) int bump(void) { return ++count; }
EXPORT(eight) int eight(int a, int b, int c, int d, int e, int f, int g, double h) { return a + b + c + d + e + f + g + (int)h; }

EXPORT(spin) int spin(void)
{
    for (volatile int turns = 0;; turns++)
        ;
}

EXPORT(fail) void fail(void) { __builtin_trap(); }

__attribute__((noinline)) static int deeper(volatile int depth)
{
    return depth < 0 ? depth : deeper(depth + 1) + depth;
}
EXPORT(recurse) int recurse(void) { return deeper(0); }

EXPORT(divide) int divide(int left, int right) { return left / right; }

/* Pages that it got, asking one by one and writing to each. */
EXPORT(grow) int grow(int pages)
{
    int got = 0;
    for (; got < pages; got++) {
        unsigned long before = __builtin_wasm_memory_grow(0, 1);
        if (before == (unsigned long)-1)
            break;
        for (unsigned long at = before << 16; at < (before + 1) << 16; at += 4096)
            *(volatile unsigned char *)at = 1;
    }
    return got;
}

/* About so many thousand steps of work. */
EXPORT(work) int work(int thousands)
{
    unsigned sum = 0;
    for (int step = 0; step < thousands * 1000; step++) {
        block[step & 0xffff] = (unsigned char)sum;
        sum = sum * 31 + block[(step * 7) & 0xffff];
    }
    return (int)sum;
}
