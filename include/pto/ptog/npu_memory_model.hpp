/* pto: the simulator's choice of a chip, which its mains make before they run kernels. The target is chosen elsewhere
 * (pto/ptog/target.hpp); a call here is accepted and changes nothing. */
#ifndef PTO_PTOG_NPU_MEMORY_MODEL_HPP
#define PTO_PTOG_NPU_MEMORY_MODEL_HPP

#include <pto/ptog/runtime.hpp>

namespace pto
{

enum class NPUArch { A2A3, A5 };

class NPUMemoryModel
{
  public:
    static NPUMemoryModel &Instance()
    {
        static NPUMemoryModel one;
        return one;
    }
    static void SetDefaultArch(NPUArch)
    {
    }
    void Initialize(NPUArch arch)
    {
        arch_ = arch;
    }
    /* Tiles of a kernel that was called as a function are empty again. */
    void Clear()
    {
        ptog::sync();
    }
    NPUArch GetArch() const
    {
        return arch_;
    }

  private:
    NPUArch arch_ = NPUArch::A2A3;
};

inline void NPU_MEMORY_INIT(NPUArch arch = NPUArch::A2A3)
{
    NPUMemoryModel::Instance().Initialize(arch);
}
inline void NPU_MEMORY_CLEAR()
{
    NPUMemoryModel::Instance().Clear();
}

} // namespace pto

#endif
