/* Included by a file that is included. */
template <typename T> void launchPlus(T *data, uint32_t blocks, void *stream)
{
    runPlus<T, 64>
        <<<blocks, (uint32_t)(64 * sizeof(T)), stream>>>(data);
}
