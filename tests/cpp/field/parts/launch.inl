/* Included by a file that is included. Only A5 has a dynamic UB size. */
template <typename T> void launchPlus(T *data, uint32_t blocks, void *stream)
{
#ifdef PTO_NPU_ARCH_A5
    constexpr uint32_t dynamic = 64 * sizeof(T);
#else
    constexpr uint32_t dynamic = 0;
#endif
    runPlus<T, 64>
        <<<blocks, (uint32_t)(dynamic), stream>>>(data);
}
