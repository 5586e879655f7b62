/* pto: the simulator's choice of a chip, which its mains make before they run kernels. The target is chosen elsewhere
 * (pto/ptog/target.hpp); a call here is accepted and changes nothing. */
#ifndef PTO_PTOG_NPU_MEMORY_MODEL_HPP
#define PTO_PTOG_NPU_MEMORY_MODEL_HPP

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
    NPUArch GetArch() const
    {
        return arch_;
    }

  private:
    NPUArch arch_ = NPUArch::A2A3;
};

} // namespace pto

#endif
