/* kernel: exp and log of f16 with AVX-512, sixteen elements at a time in f32. The factors were found by a search over
 * all 65,536 inputs: with them every result is the number that double precision, rounded once, gives, though f32 has
 * too few bits to promise that for others. So each step is written as the fused operation it is, and nothing here may
 * be rearranged; tests/unit/test_maps.c computes all inputs. Compiled with -mavx512f and friends (CMakeLists.txt);
 * empty where the compiler has no such thing. */
#include "kernel/maps.h"

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>

#define LANES 16
#define EVERY_LANE _mm512_set1_ps

/* factors[0] + factors[1]*x + ... + factors[count - 1]*x^(count - 1) */
static inline __m512 polynomial(const float *factors, int count, __m512 x)
{
    __m512 sum = EVERY_LANE(factors[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        sum = _mm512_fmadd_ps(sum, x, EVERY_LANE(factors[i]));
    return sum;
}

/* 2^n * e^r with r = x - n ln 2. Beyond 18 on either side f16 is infinite, or 0. The last step rounds down: to the
 * nearest, one result would be wrong with all factors that were tried. For numbers and infinities. */
static inline __m512 exp_of_f16(__m512 x)
{
    static const float factors[] = {0x1p+0f, 0x1.000018p-1f, 0x1.5555aap-3f, 0x1.56153ap-5f, 0x1.0eecd4p-7f};
    const __m512 shift = EVERY_LANE(0x1.8p23f);             /* added, it leaves a whole number */
    __m512 near = _mm512_range_ps(x, EVERY_LANE(18.0f), 2); /* the smaller magnitude, with the sign of x */
    __m512 n = _mm512_sub_ps(_mm512_fmadd_ps(near, EVERY_LANE(0x1.715476p0f), shift), shift);
    __m512 r = _mm512_fnmadd_ps(n, EVERY_LANE(0x1.62e43p-1f), near);
    __m512 power = _mm512_fmadd_round_ps(polynomial(factors, 5, r), r, EVERY_LANE(1.0f),
                                         _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    return _mm512_scalef_ps(power, n);
}

/* e ln 2 + ln m, with m from 3/4 to below 3/2, and ln m by its series in m - 1. The instructions that take a number
 * apart make NaN, and infinities, of what has no logarithm, or an infinite one. */
static inline __m512 log_of_f16(__m512 x)
{
    static const float factors[] = {-0x1.000064p-1f, 0x1.5556cap-2f, -0x1.fff472p-3f, 0x1.9a28eap-3f,
                                    -0x1.551becp-3f, 0x1.21578ep-3f, -0x1.0778e6p-3f, 0x1.6395e4p-4f};
    __m512 m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
    __m512 e = _mm512_getexp_ps(_mm512_mul_ps(x, EVERY_LANE(0x1.555556p0f))); /* 4/3: at 3/2 it turns over */
    __m512 f = _mm512_sub_ps(m, EVERY_LANE(1.0f));
    __m512 logarithm = _mm512_fmadd_ps(polynomial(factors, 8, f), _mm512_mul_ps(f, f), f);
    return _mm512_fmadd_ps(e, EVERY_LANE(0x1.62e43p-1f), logarithm);
}

/* `value`, computed from `x`, rounded to the nearest. Where x is NaN its sign stays and its payload goes, as
 * everywhere. */
static inline __m256i f16_of(__m512 value, __m256i x)
{
    __m256i halves = _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m512 wide = _mm512_cvtph_ps(x);
    __mmask16 is_nan = _mm512_cmp_ps_mask(wide, wide, _CMP_UNORD_Q);
    __m256i quiet = _mm256_and_si256(_mm256_or_si256(x, _mm256_set1_epi16(0x0200)), _mm256_set1_epi16((short)0xfe00));
    return _mm256_mask_blend_epi16(is_nan, halves, quiet);
}

/* The last elements go through masks; all others do not, since some processors take long for a masked store. */
#define MAP(name)                                                                                                      \
    static void name##_F16(const struct ptog_map_job *job)                                                             \
    {                                                                                                                  \
        const size_t step = job->a_is_one ? 0 : sizeof(uint16_t);                                                      \
        size_t i = 0;                                                                                                  \
        for (; i + LANES <= job->count; i += LANES) {                                                                  \
            __m256i a = _mm256_loadu_si256((const __m256i *)(job->a + step * i));                                      \
            _mm256_storeu_si256((__m256i *)(job->to + 2 * i), f16_of(name##_of_f16(_mm512_cvtph_ps(a)), a));           \
        }                                                                                                              \
        const __mmask16 last = (__mmask16)((1u << (job->count - i)) - 1);                                              \
        __m256i a = _mm256_maskz_loadu_epi16(last, job->a + step * i);                                                 \
        _mm256_mask_storeu_epi16(job->to + 2 * i, last, f16_of(name##_of_f16(_mm512_cvtph_ps(a)), a));                 \
    }
MAP(exp)
MAP(log)

const struct ptog_map ptog_maps_avx512[] = {
    {"exp", PTOG_F16, exp_F16},
    {"log", PTOG_F16, log_F16},
    {NULL, PTOG_DTYPE_NONE, NULL},
};
#else
const struct ptog_map ptog_maps_avx512[] = {{NULL, PTOG_DTYPE_NONE, NULL}};
#endif
