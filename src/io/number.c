/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/number.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- the C locale, whatever the process runs in ---- */

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        memory_exhausted(); /* the only way in which "C" can fail */
}

/* Makes the calling thread use the C locale; give the result to leave_c_locale. */
static locale_t enter_c_locale(void)
{
    pthread_once(&c_locale_once, make_c_locale);
    return uselocale(c_locale);
}

static void leave_c_locale(locale_t before)
{
    uselocale(before);
}

/* ---- powers of ten ---- */

/* 128-bit products are an extension of both compilers. */
__extension__ typedef unsigned __int128 Wide;

typedef struct {
    uint64_t high, low;
} Power;

enum { POWER_MIN = -342, POWER_MAX = 324 };

/* powers[q - POWER_MIN]: the first 128 bits of 10^q, the rest cut off. */
static const Power powers[] = {
#include "io/number_powers.inc"
};

static_assert(sizeof powers / sizeof *powers == POWER_MAX - POWER_MIN + 1, "the whole table");

/* The same, rounded up where it is not exact if round_up holds. */
static Power power_of_ten(int q, bool round_up)
{
    assert(q >= POWER_MIN && q <= POWER_MAX);
    Power p = powers[q - POWER_MIN];
    if (round_up && ++p.low == 0)
        p.high++;
    return p;
}

/* n >> bits, rounded down for negative n as well. */
static int floor_shift(int n, int bits)
{
    return n >= 0 ? n >> bits : -((-n + (1 << bits) - 1) >> bits);
}

/* ---- writing: Schubfach ----
 *
 * Raffaello Giulietti, "The Schubfach way to render doubles" (2020): of all decimals that
 * read back as x one of the shortest, and of these the nearest to x, is one of at
 * most four candidates; three 128-bit products tell which. */

/* digits * 10^exponent. */
typedef struct {
    uint64_t digits;
    int exponent;
} Decimal;

/* The high 64 bits of g * c / 2^64, the lowest of them set if anything is cut
 * off ("round to odd"): enough to compare with multiples of 2. */
static uint64_t round_to_odd(Power g, uint64_t c)
{
    Wide x = (Wide)g.low * c, y = (Wide)g.high * c + (uint64_t)(x >> 64);
    return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

/* The shortest decimal that reads back as the double of these bits, which is
 * positive and finite.  Names as in the paper. */
static Decimal shortest(uint64_t bits)
{
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int biased = (int)(bits >> 52);
    uint64_t c = biased ? fraction | (uint64_t)1 << 52 : fraction;
    int q = (biased ? biased : 1) - 1075;      /* x = c * 2^q */
    bool even = c % 2 == 0;                    /* ties go to even: the interval is closed */
    bool closer = fraction == 0 && biased > 1; /* the neighbour below is nearer */

    /* 10^k is the widest spacing of which at least one multiple lies in the interval. */
    int k = floor_shift(q * 1262611 - (closer ? 524031 : 0), 22);
    int h = q + floor_shift(-k * 1741647, 19) + 1;
    Power g = power_of_ten(-k, -k < 0 || -k > 55);
    uint64_t lower = round_to_odd(g, (4 * c - 2 + closer) << h) + !even;
    uint64_t v = round_to_odd(g, 4 * c << h);
    uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - !even;

    uint64_t s = v / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above)
            return (Decimal){tens + above, k + 1};
    }
    bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below == above) /* both, or neither: the nearer one, a tie to even */
        above = v > 4 * s + 2 || (v == 4 * s + 2 && s % 2 == 1);
    return (Decimal){s + above, k};
}

/* "00" "01" … "99" */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Writes n < 10^8 as eight digits. */
static void put_eight(char *out, uint32_t n)
{
    uint32_t high = n / 10000, low = n % 10000;
    memcpy(out, pairs + 2 * (high / 100), 2);
    memcpy(out + 2, pairs + 2 * (high % 100), 2);
    memcpy(out + 4, pairs + 2 * (low / 100), 2);
    memcpy(out + 6, pairs + 2 * (low % 100), 2);
}

/* Writes the digits of n > 0, which are at most 17, into the 24 bytes at out
 * without zeros at their end; *first is where they begin.  Returns how many there
 * are, and in *zeros how many zeros were left out. */
static int put_digits(char *out, uint64_t n, char **first, int *zeros)
{
    enum { EIGHT = 100000000 };
    uint64_t rest = n / EIGHT;
    put_eight(out, (uint32_t)(rest / EIGHT));
    put_eight(out + 8, (uint32_t)(rest % EIGHT));
    put_eight(out + 16, (uint32_t)(n % EIGHT));
    int start = 0, end = 24;
    while (out[start] == '0')
        start++;
    while (out[end - 1] == '0')
        end--;
    *first = out + start;
    *zeros = 24 - end;
    return end - start;
}

static char *put_zeros(char *out, int count)
{
    memset(out, '0', (size_t)count);
    return out + count;
}

static char *put_bytes(char *out, const char *bytes, int count)
{
    memcpy(out, bytes, (size_t)count);
    return out + count;
}

/* Writes "e+22", with two digits at least. */
static char *put_exponent(char *out, int exponent)
{
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    int size = abs(exponent);
    if (size >= 100)
        *out++ = (char)('0' + size / 100);
    *out++ = (char)('0' + size / 10 % 10);
    *out++ = (char)('0' + size % 10);
    return out;
}

/* Writes d by the rule in the header; returns the end. */
static char *put_decimal(char *out, Decimal d)
{
    char room[24], *digits;
    int zeros, count = put_digits(room, d.digits, &digits, &zeros);
    int exponent = d.exponent + zeros + count - 1; /* of the first digit */
    if (exponent < -4 || exponent > 20) {
        *out++ = digits[0];
        if (count > 1) {
            *out++ = '.';
            out = put_bytes(out, digits + 1, count - 1);
        }
        return put_exponent(out, exponent);
    }
    if (exponent < 0) {
        *out++ = '0';
        *out++ = '.';
        out = put_zeros(out, -exponent - 1);
        return put_bytes(out, digits, count);
    }
    if (exponent + 1 >= count)
        return put_zeros(put_bytes(out, digits, count), exponent + 1 - count);
    out = put_bytes(out, digits, exponent + 1);
    *out++ = '.';
    return put_bytes(out, digits + exponent + 1, count - exponent - 1);
}

size_t number_put(char *out, double x)
{
    if (isnan(x)) {
        memcpy(out, "nan", 3);
        return 3;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    char *end = out;
    if (bits >> 63)
        *end++ = '-';
    bits &= ~((uint64_t)1 << 63);
    if (isinf(x))
        end = put_bytes(end, "inf", 3);
    else if (bits == 0)
        *end++ = '0';
    else
        end = put_decimal(end, shortest(bits));
    return (size_t)(end - out);
}

void number_add(Str *out, double x)
{
    char text[NUMBER_ROOM];
    str_add_bytes(out, text, number_put(text, x));
}

void number_add_format(Str *out, double x, char kind, int precision)
{
    assert(kind == 'f' || kind == 'e' || kind == 'g');
    if (isnan(x))
        str_add(out, "NaN");
    else if (isinf(x))
        str_add(out, x > 0 ? "Inf" : "-Inf");
    else {
        locale_t before = enter_c_locale();
        if (kind == 'f')
            str_addf(out, "%.*f", precision, x);
        else if (kind == 'e')
            str_addf(out, "%.*e", precision, x);
        else
            str_addf(out, "%.*g", precision, x);
        leave_c_locale(before);
    }
}

/* ---- reading ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* True if the length bytes at text are word, in any case of letters. */
static bool is_word(const char *text, size_t length, const char *word)
{
    if (length != strlen(word))
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] != word[i] && text[i] != word[i] - ('a' - 'A'))
            return false;
    return true;
}

/* What a text says that has the form of the decimals in the header:
 * digits * 10^exponent, if `exact`; otherwise it has too many digits for that. */
typedef struct {
    uint64_t digits;
    int exponent;
    bool exact;
} Scanned;

enum { DIGITS_MAX = 19 }; /* that surely fit a uint64_t */

/* True if the eight bytes are digits; then *value is what they say.  All eight at
 * once: each byte less '0' must not reach 10, then pairs are joined thrice. */
static bool read_eight(const char *text, uint64_t *value)
{
    const unsigned char *p = (const unsigned char *)text;
    uint64_t v = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
                 (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
                 (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56; /* a single load */
    uint64_t low = v - 0x3030303030303030u;
    if (((v + 0x4646464646464646u) | low) & 0x8080808080808080u)
        return false;
    low = low * 10 + (low >> 8);
    low = ((low & 0x000000FF000000FFu) * 0x000F424000000064u +
           (low >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >>
          32;
    *value = low & 0xFFFFFFFFu;
    return true;
}

/* Takes digits from i on into *digits while *count, the number of significant
 * ones, is at most DIGITS_MAX; returns the offset behind them. */
static size_t scan_digits(const char *text, size_t length, size_t i, uint64_t *digits,
                          size_t *count)
{
    if (*count == 0)
        while (i < length && text[i] == '0')
            i++;
    for (uint64_t eight; *count + 8 <= DIGITS_MAX && i + 8 <= length; i += 8) {
        if (!read_eight(text + i, &eight))
            break;
        *digits = *digits * 100000000 + eight;
        *count += 8;
    }
    for (; i < length && is_digit(text[i]); i++)
        if (++*count <= DIGITS_MAX)
            *digits = *digits * 10 + (uint64_t)(text[i] - '0');
    return i;
}

/* Takes "e-12" at offset i, if it is there; an exponent is cut to where every
 * number is 0 or infinite.  Returns the offset behind, or 0 if it is malformed. */
static size_t scan_exponent(const char *text, size_t length, size_t i, int *exponent)
{
    if (i == length || (text[i] != 'e' && text[i] != 'E'))
        return i;
    i++;
    bool negative = i < length && text[i] == '-';
    if (i < length && (text[i] == '+' || text[i] == '-'))
        i++;
    size_t start = i;
    int size = 0;
    for (; i < length && is_digit(text[i]); i++)
        if (size < 100000)
            size = size * 10 + (text[i] - '0');
    *exponent = negative ? -size : size;
    return i > start ? i : 0;
}

/* Reads text, without its sign, as a decimal; false if it is none. */
static bool scan_decimal(const char *text, size_t length, Scanned *scanned)
{
    uint64_t digits = 0;
    size_t significant = 0, fraction = 0;
    size_t i = scan_digits(text, length, 0, &digits, &significant);
    bool any = i > 0;
    if (i < length && text[i] == '.') {
        size_t point = i + 1;
        i = scan_digits(text, length, point, &digits, &significant);
        fraction = i - point;
    }
    if (!any && fraction == 0)
        return false;
    int exponent = 0;
    i = scan_exponent(text, length, i, &exponent);
    if (i != length)
        return false;
    scanned->exact = significant <= DIGITS_MAX && fraction < 1000;
    scanned->digits = digits;
    scanned->exponent = exponent - (scanned->exact ? (int)fraction : 0);
    return true;
}

/* The double nearest to digits * 10^exponent, by the method of Daniel Lemire,
 * "Number parsing at a gigabyte per second" (2021): one or two 64-bit products.
 * False where that cannot decide, or the result is not a normal number. */
static bool convert_quickly(const Scanned *scanned, double *x)
{
    int q = scanned->exponent;
    if (!scanned->exact || scanned->digits == 0 || q < -300 || q > 308)
        return false;
    int zeros = __builtin_clzll(scanned->digits);
    uint64_t w = scanned->digits << zeros;
    Power power = power_of_ten(q, q < 0 && q >= -27);
    Wide product = (Wide)w * power.high;
    uint64_t high = (uint64_t)(product >> 64);
    if ((high & 0x1FF) == 0x1FF) { /* the low half may carry into what counts */
        product += (Wide)w * power.low >> 64;
        high = (uint64_t)(product >> 64);
    }
    uint64_t low = (uint64_t)product;
    if (low == UINT64_MAX && (q < -27 || q > 55))
        return false;
    int upper = (int)(high >> 63);
    uint64_t mantissa = high >> (upper + 9); /* 53 bits and one to round by */
    int biased = floor_shift(217706 * q, 16) + 63 + upper - zeros + 1023;
    /* Exactly half way between two doubles: the even one. */
    if (low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << (upper + 9) == high)
        mantissa--;
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa >> 53) {
        mantissa >>= 1;
        biased++;
    }
    if (biased <= 0 || biased >= 0x7FF)
        return false;
    uint64_t bits = (uint64_t)biased << 52 | (mantissa & (((uint64_t)1 << 52) - 1));
    memcpy(x, &bits, sizeof bits);
    return true;
}

/* strtod, in the C locale, of a text that scan_decimal has accepted. */
static double convert_slowly(const char *text, size_t length)
{
    char small[64];
    char *copy = small; /* or the heap: as long as it takes */
    if (length < sizeof small) {
        memcpy(small, text, length);
        small[length] = '\0';
    } else
        copy = memory_copy_slice(text, length);
    locale_t before = enter_c_locale();
    double x = strtod(copy, NULL);
    leave_c_locale(before);
    if (copy != small)
        free(copy);
    return x;
}

NumberStatus number_read(const char *text, size_t length, double *x)
{
    bool negative = length > 0 && text[0] == '-';
    if (length > 0 && (text[0] == '-' || text[0] == '+')) {
        text++;
        length--;
    }
    double y;
    Scanned scanned;
    if (scan_decimal(text, length, &scanned)) {
        if (!convert_quickly(&scanned, &y))
            y = convert_slowly(text, length);
        if (isinf(y))
            return NUMBER_OUT_OF_RANGE;
    } else if (is_word(text, length, "nan"))
        y = NAN;
    else if (is_word(text, length, "inf") || is_word(text, length, "infinity"))
        y = INFINITY;
    else
        return NUMBER_JUNK;
    *x = negative ? -y : y;
    return NUMBER_OK;
}
