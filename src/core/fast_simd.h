/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_simd: vectors of doubles as wide as the instruction set the file is compiled for.
 *
 * The fast_kernel_*.c files are compiled once for each FastLevel, with FAST_BUILD set by
 * CMake to 1 (portable), 3 (x86-64-v3: AVX2 and FMA) or 4 (x86-64-v4: AVX-512).  Each of
 * their public names ends in the level, FAST_NAME(x), so that all builds live in one
 * program and fast_level.c chooses.  Only those files include this header. */
#ifndef CORE_FAST_SIMD_H
#define CORE_FAST_SIMD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if FAST_BUILD >= 3
#include <immintrin.h>
#endif

#if FAST_BUILD == 4
enum { WIDTH = 8 }; /* doubles in a vector */
#define FAST_NAME(name) name##_v4
#elif FAST_BUILD == 3
enum { WIDTH = 4 };
#define FAST_NAME(name) name##_v3
#else
enum { WIDTH = 2 };
#define FAST_NAME(name) name##_portable
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef double Vec __attribute__((vector_size(8 * WIDTH)));
typedef int64_t Bits __attribute__((vector_size(8 * WIDTH)));
/* The same anywhere in an array of doubles. */
typedef double VecAt __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

ALWAYS_INLINE Vec vec_load(const double *x)
{
    return *(const VecAt *)x;
}

ALWAYS_INLINE void vec_store(double *x, Vec v)
{
    *(VecAt *)x = v;
}

ALWAYS_INLINE Vec vec_splat(double x)
{
    return (Vec){0} + x;
}

/* base[index] for each index. */
ALWAYS_INLINE Vec vec_gather(const double *base, Bits index)
{
#if FAST_BUILD == 4
    return _mm512_i64gather_pd((__m512i)index, base, 8);
#elif FAST_BUILD == 3
    return _mm256_i64gather_pd(base, (__m256i)index, 8);
#else
    return (Vec){base[index[0]], base[index[1]]};
#endif
}

#if FAST_BUILD >= 3
/* a b - c, rounded once. */
ALWAYS_INLINE Vec vec_multiply_subtract(Vec a, Vec b, Vec c)
{
#if FAST_BUILD == 4
    return _mm512_fmsub_pd(a, b, c);
#else
    return _mm256_fmsub_pd(a, b, c);
#endif
}
#endif

/* The larger of each pair, and the smaller; b where either is NaN. */
ALWAYS_INLINE Vec vec_max(Vec a, Vec b)
{
#if FAST_BUILD == 4
    return _mm512_max_pd(a, b);
#elif FAST_BUILD == 3
    return _mm256_max_pd(a, b);
#else
    Bits more = (Bits)(a > b);
    return (Vec)(((Bits)a & more) | ((Bits)b & ~more));
#endif
}

ALWAYS_INLINE Vec vec_min(Vec a, Vec b)
{
#if FAST_BUILD == 4
    return _mm512_min_pd(a, b);
#elif FAST_BUILD == 3
    return _mm256_min_pd(a, b);
#else
    Bits less = (Bits)(a < b);
    return (Vec)(((Bits)a & less) | ((Bits)b & ~less));
#endif
}

/* b where x > limit, else a: a where x is NaN. */
ALWAYS_INLINE Vec vec_where_above(Vec x, double limit, Vec b, Vec a)
{
#if FAST_BUILD == 4
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, vec_splat(limit), _CMP_GT_OQ), a, b);
#elif FAST_BUILD == 3
    return _mm256_blendv_pd(a, b, _mm256_cmp_pd(x, vec_splat(limit), _CMP_GT_OQ));
#else
    Bits above = (Bits)(x > limit);
    return (Vec)(((Bits)b & above) | ((Bits)a & ~above));
#endif
}

/* b where x < limit, else a: a where x is NaN. */
ALWAYS_INLINE Vec vec_where_below(Vec x, double limit, Vec b, Vec a)
{
#if FAST_BUILD == 4
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, vec_splat(limit), _CMP_LT_OQ), a, b);
#elif FAST_BUILD == 3
    return _mm256_blendv_pd(a, b, _mm256_cmp_pd(x, vec_splat(limit), _CMP_LT_OQ));
#else
    Bits below = (Bits)(x < limit);
    return (Vec)(((Bits)b & below) | ((Bits)a & ~below));
#endif
}

/* The sum of the entries, in halves: not in index order. */
ALWAYS_INLINE double vec_sum(Vec v)
{
#if FAST_BUILD == 4
    typedef double Half __attribute__((vector_size(32)));
    typedef double Quarter __attribute__((vector_size(16)));
    Half h = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
    Quarter q = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
    return q[0] + q[1];
#elif FAST_BUILD == 3
    typedef double Half __attribute__((vector_size(16)));
    Half h = __builtin_shufflevector(v, v, 0, 1) + __builtin_shufflevector(v, v, 2, 3);
    return h[0] + h[1];
#else
    return v[0] + v[1];
#endif
}

/* a.b by vectors: not in index order. */
ALWAYS_INLINE double vec_dot(const double *a, const double *b, size_t n)
{
    Vec s0 = {0}, s1 = {0};
    size_t i = 0;
    for (; i + 2 * WIDTH <= n; i += 2 * WIDTH) {
        s0 += vec_load(a + i) * vec_load(b + i);
        s1 += vec_load(a + i + WIDTH) * vec_load(b + i + WIDTH);
    }
    double sum = vec_sum(s0 + s1);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* exp(x) for x <= 709: 0 below -708, NaN for NaN; relative error below 1e-15.
 *
 * exp(x) = 2^n exp(r) with |r| <= log(2)/2.  Adding 1.5 2^52 + 1023 rounds x log2(e) and
 * leaves n + 1023, the exponent field of 2^n, in the low bits.  The polynomial is the
 * Chebyshev series of exp on that interval cut after degree 10. */
ALWAYS_INLINE Vec vec_exp(Vec x)
{
    const double shift = 0x1.8p52 + 1023;
    Vec t = x * 0x1.71547652b82fep0 + shift, n = t - shift;
    Vec r = (x - n * 0x1.62e42fefap-1) - n * 0x1.cf79abc9e3b3ap-40;
    Vec r2 = r * r, r4 = r2 * r2;
    Vec low = (1 + r * 0x1.000000000001ep0) + r2 * (0x1.0000000000011p-1 + r * 0x1.555555554b73p-3);
    Vec mid = (0x1.555555554f0b7p-5 + r * 0x1.1111112ddba15p-7) +
              r2 * (0x1.6c16c18800bfdp-10 + r * 0x1.a01978b69cc00p-13);
    Vec high = (0x1.a019919f98a93p-16 + r * 0x1.72fb00c18d723p-19) + r2 * 0x1.28b41160a3814p-22;
    Vec power = (Vec)((Bits)t << 52);
    Vec value = (low + r4 * (mid + r4 * high)) * power;
    return vec_where_below(x, -708, (Vec){0}, value);
}

#endif
