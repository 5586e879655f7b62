/* pto: TPRINT, which the simulator has: prints the valid region of a tile to std::cout. Included by pto/common/pto_instr.hpp inside
 * namespace pto where __CPU_SIM is defined. Not an access. */
#ifndef PTO_PTOG_PRINT_INSTR_HPP
#define PTO_PTOG_PRINT_INSTR_HPP

template <class Element> void print_element(Element value, int width, int precision)
{
    if constexpr (std::is_integral_v<Element>)
        std::cout << std::setw(width) << static_cast<long long>(value);
    else
        std::cout << std::fixed << std::setw(width) << std::setprecision(precision) << static_cast<float>(value);
}

/* TPRINT(tile), TPRINT<PrintFormat::Width10_Precision6>(tile[, tmp]); tmp is where devices print to. */
template <PrintFormat Format = PrintFormat::Width8_Precision4, class Tile_, class... Tmp>
PTO_INST void TPRINT(Tile_ &src, Tmp &...)
{
    constexpr int width = Format == PrintFormat::Width10_Precision6 ? 10 : 8;
    constexpr int precision = Format == PrintFormat::Width8_Precision2 ? 2 : width - 4;
    const int rows = src.GetValidRow(), cols = src.GetValidCol();
    std::vector<typename Tile_::DType> elements(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols) + 1);
    ptog::peek(src, elements.data());
    std::cout << "TPRINT " << rows << 'x' << cols << '\n';
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            std::cout << (c > 0 ? " " : "");
            print_element(elements[static_cast<std::size_t>(r * cols + c)], width, precision);
        }
        std::cout << '\n';
    }
}

#endif
