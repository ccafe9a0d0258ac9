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

/* 10^n for n <= 17. */
static const uint64_t tens[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};

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

    /* One digit less, if just one such decimal is in the interval.  All is worked out
     * without branches: which way they go is as good as random. */
    uint64_t s = v / 4, cut = s - s % 10;
    bool cut_below = lower <= 4 * cut, cut_above = 4 * cut + 40 <= upper;
    bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    bool nearer = (v > 4 * s + 2) | ((v == 4 * s + 2) & (s % 2 == 1)); /* a tie to even */
    cut += cut_above ? 10 : 0;
    uint64_t full = s + (below == above ? nearer : above);
    return (Decimal){((s >= 10) & (cut_below != cut_above)) ? cut : full, k};
}

/* The digits of n < 10^8 as eight bytes 0 to 9, the first the lowest: halves of four
 * digits, quarters of two, then single ones, each all at once. */
static inline uint64_t split_eight(uint32_t n)
{
    uint64_t v = n / 10000 | (uint64_t)(n % 10000) << 32;
    uint64_t hundreds = (v * 10486 >> 20) & 0x0000007F0000007Fu;
    v = hundreds | (v - 100 * hundreds) << 16;
    uint64_t ten = (v * 103 >> 10) & 0x000F000F000F000Fu;
    return ten | (v - 10 * ten) << 8;
}

/* Writes the eight digits that split_eight gave. */
static inline void put_eight(char *out, uint64_t v)
{
    v += 0x3030303030303030u;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(out, &v, sizeof v);
}

enum { PRECISION = 17 }; /* digits that tell any two doubles apart */

/* How many digits n > 0 has. */
static int count_digits(uint64_t n)
{
    int least = (64 - __builtin_clzll(n)) * 1233 >> 12; /* bits * log10(2) */
    return least + (n >= tens[least]);
}

/* The digits of a decimal from the first that is not 0 on, with zeros to PRECISION. */
typedef struct {
    char first;
    uint64_t middle, last; /* eight each */
    int count;             /* without the zeros */
    int exponent;          /* power of ten of the first */
} Digits;

static inline Digits split_digits(Decimal d)
{
    enum { EIGHT = 100000000 };
    int count = count_digits(d.digits);
    uint64_t n = d.digits * tens[PRECISION - count], high = n / EIGHT;
    Digits s = {.first = (char)('0' + high / EIGHT),
                .middle = split_eight((uint32_t)(high % EIGHT)),
                .last = split_eight((uint32_t)(n % EIGHT)),
                .exponent = d.exponent + count - 1};
    if (s.last)
        s.count = PRECISION - __builtin_clzll(s.last) / 8;
    else
        s.count = s.middle ? 9 - __builtin_clzll(s.middle) / 8 : 1;
    return s;
}

/* Writes all PRECISION digits, `gap` bytes after the first; what is too much is written over
 * or left behind the end. */
static inline void put_digits(char *out, const Digits *s, size_t gap)
{
    out[0] = s->first;
    put_eight(out + gap + 1, s->middle);
    put_eight(out + gap + 9, s->last);
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
    Digits s = split_digits(d);
    int exponent = s.exponent;
    if (exponent < -4 || exponent > 20) { /* 1.25e+22 */
        put_digits(out, &s, 1);
        out[1] = '.';
        return put_exponent(out + (s.count > 1 ? s.count + 1 : 1), exponent);
    }
    if (s.count <= exponent + 1) { /* 12500 */
        put_digits(out, &s, 0);
        memcpy(out + PRECISION, "0000", 4);
        return out + exponent + 1;
    }
    /* 12.5 or 0.0125: in one way, since numbers around 1 would be branched on at random */
    bool small = exponent < 0;
    memcpy(out, "0.000", 5);
    char *digits = out + (small ? 1 - exponent : 0);
    put_digits(digits, &s, !small);
    for (int i = 0; i < exponent; i++)
        out[i + 1] = out[i + 2];
    out[small ? 1 : exponent + 1] = '.';
    return digits + s.count + !small;
}

size_t number_put(char *out, double x)
{
    if (isnan(x)) {
        memcpy(out, "nan", 3);
        return 3;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *out = '-'; /* written over if there is none */
    char *end = out + (bits >> 63);
    bits &= ~((uint64_t)1 << 63);
    if (isinf(x)) {
        memcpy(end, "inf", 3);
        end += 3;
    } else if (bits == 0)
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

/* What a text says that has the form of the decimals in the header: digits * 10^exponent,
 * or that negated, if `exact`; otherwise it has too many digits for that. */
typedef struct {
    bool negative, exact;
    uint64_t digits;
    int exponent;
} Scanned;

enum { DIGITS_MAX = 19 }; /* that surely fit a uint64_t */

/* How many of the eight bytes at text are digits before the first that is none; *value is
 * what they say.  All eight at once: digits less '0' are below 10; they are moved to the
 * end, zeros before them, and joined to pairs, fours and eight. */
static inline size_t read_eight(const char *text, uint64_t *value)
{
    const unsigned char *p = (const unsigned char *)text;
    uint64_t v = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
                 (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
                 (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56; /* a single load */
    v ^= 0x3030303030303030u;
    uint64_t others = ((v + 0x7676767676767676u) | v) & 0x8080808080808080u;
    int count = 8;
    if (others) {
        count = __builtin_ctzll(others) / 8;
        v = v << 8 << (56 - 8 * count);
    }
    v = v * 10 + (v >> 8);
    v = ((v & 0x000000FF000000FFu) * 0x000F424000000064u +
         (v >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >>
        32;
    *value = v & 0xFFFFFFFFu;
    return (size_t)count;
}

/* Takes the digits from i on into *digits, modulo 2^64; returns the offset behind them. */
static inline size_t scan_digits(const char *text, size_t length, size_t i, uint64_t *digits)
{
    for (; i < length && is_digit(text[i]); i++)
        *digits = *digits * 10 + (uint64_t)(text[i] - '0');
    return i;
}

/* The same, made for many: eight at a time. */
static inline size_t scan_many_digits(const char *text, size_t length, size_t i, uint64_t *digits)
{
    while (i + 8 <= length) {
        uint64_t value;
        size_t taken = read_eight(text + i, &value);
        *digits = *digits * tens[taken] + value;
        i += taken;
        if (taken < 8)
            return i;
    }
    return scan_digits(text, length, i, digits);
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

/* Zeros before the first other digit of the length bytes at text, digits and a point. */
static size_t count_leading_zeros(const char *text, size_t length)
{
    size_t zeros = 0;
    for (size_t i = 0; i < length && (text[i] == '0' || text[i] == '.'); i++)
        zeros += text[i] == '0';
    return zeros;
}

/* Reads the decimal that text begins with; returns its length, or 0 if there is none. */
static inline size_t scan_decimal(const char *text, size_t length, Scanned *scanned)
{
    if (length == 0)
        return 0;
    uint64_t digits = 0;
    bool negative = text[0] == '-';
    size_t start = negative | (text[0] == '+'), fraction = 0;
    size_t i = scan_digits(text, length, start, &digits);
    size_t significant = i - start;
    if (i < length && text[i] == '.') {
        size_t point = i + 1;
        i = scan_many_digits(text, length, point, &digits);
        fraction = i - point;
        significant += fraction;
    }
    if (significant == 0)
        return 0;
    if (significant > DIGITS_MAX)
        significant -= count_leading_zeros(text + start, i - start);
    int exponent = 0;
    i = scan_exponent(text, length, i, &exponent);
    bool exact = significant <= DIGITS_MAX && fraction < 1000;
    *scanned = (Scanned){negative, exact, digits, exponent - (exact ? (int)fraction : 0)};
    return i;
}

/* The double nearest to what was scanned, by the method of Daniel Lemire,
 * "Number parsing at a gigabyte per second" (2021): one or two 64-bit products.
 * False where that cannot decide, or the result is not a normal number. */
static bool convert_quickly(const Scanned *scanned, double *x)
{
    int q = scanned->exponent;
    uint64_t sign = (uint64_t)scanned->negative << 63;
    if (scanned->exact && scanned->digits == 0) {
        memcpy(x, &sign, sizeof sign);
        return true;
    }
    if (!scanned->exact || q < -300 || q > 308)
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
    uint64_t bits = sign | (uint64_t)biased << 52 | (mantissa & (((uint64_t)1 << 52) - 1));
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

size_t number_take(const char *text, size_t length, double *x)
{
    Scanned scanned;
    size_t used = scan_decimal(text, length, &scanned);
    return used > 0 && convert_quickly(&scanned, x) ? used : 0;
}

NumberStatus number_read(const char *text, size_t length, double *x)
{
    double y;
    Scanned scanned;
    if (length > 0 && scan_decimal(text, length, &scanned) == length) {
        if (!convert_quickly(&scanned, &y))
            y = convert_slowly(text, length);
        if (isinf(y))
            return NUMBER_OUT_OF_RANGE;
        *x = y;
        return NUMBER_OK;
    }
    bool negative = length > 0 && text[0] == '-';
    if (length > 0 && (text[0] == '-' || text[0] == '+')) {
        text++;
        length--;
    }
    if (is_word(text, length, "nan"))
        y = NAN;
    else if (is_word(text, length, "inf") || is_word(text, length, "infinity"))
        y = INFINITY;
    else
        return NUMBER_JUNK;
    *x = negative ? -y : y;
    return NUMBER_OK;
}
