/* pto: the macros by which sources tell the machines apart, as the device's compiler defines them for the target of the
 * compilation. Macros alone: ptog-cxx has the compiler read this file before the first line of every source, so that
 * what a kernel guards with them is compiled. On host, cpu and cpusim, no macro of a device is defined. */
#ifndef PTO_PTOG_DEVICE_MACROS_HPP
#define PTO_PTOG_DEVICE_MACROS_HPP

/* A name with a dash is a difference here, of which the first part counts. */
#if defined(PTOG_TARGET) && !defined(PTO_NPU_ARCH_A2A3) && !defined(PTO_NPU_ARCH_A5)
#define PTOG_ARCH_a2a3 1
#define PTOG_ARCH_a5 2
#define PTOG_ARCH_OF_(name) PTOG_ARCH_##name
#define PTOG_ARCH_OF(name) PTOG_ARCH_OF_(name)
#if PTOG_ARCH_OF(PTOG_TARGET) == 1
#define PTO_NPU_ARCH_A2A3
#elif PTOG_ARCH_OF(PTOG_TARGET) == 2
#define PTO_NPU_ARCH_A5
#endif
#endif

/* For which cores this is: 1 vector cores, 2 the cube core; not defined, both. ptog-cxx says so, and compiles a source
 * that asks for one of the macros below twice. */
#if !defined(PTOG_CORE) || PTOG_CORE == 1
#define PTOG_FOR_VECTOR 1
#endif
#if defined(PTOG_CORE) && PTOG_CORE == 2
#define PTOG_FOR_CUBE 1
#endif

#if defined(__CPU_SIM)
#define PTOG_CCE_AICORE 0
#elif defined(PTO_NPU_ARCH_A2A3)
#define PTOG_CCE_AICORE 220
#define PTOG_NPU_ARCH 2201
#if defined(PTOG_FOR_VECTOR) && !defined(__DAV_C220_VEC__)
#define __DAV_C220_VEC__ 1
#endif
#if defined(PTOG_FOR_CUBE) && !defined(__DAV_C220_CUBE__)
#define __DAV_C220_CUBE__ 1
#endif
#elif defined(PTO_NPU_ARCH_A5)
#define PTOG_CCE_AICORE 310
#define PTOG_NPU_ARCH 3101
#if defined(PTOG_FOR_VECTOR) && !defined(__DAV_C310_VEC__)
#define __DAV_C310_VEC__ 1
#endif
#if defined(PTOG_FOR_CUBE) && !defined(__DAV_C310_CUBE__)
#define __DAV_C310_CUBE__ 1
#endif
#ifndef __DAV_C310__
#define __DAV_C310__ 1
#endif
#else
#define PTOG_CCE_AICORE 0
#endif

#if PTOG_CCE_AICORE > 0
#ifndef __CCE_AICORE__
#define __CCE_AICORE__ PTOG_CCE_AICORE
#endif
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ PTOG_NPU_ARCH
#endif
#endif

/* A file that does not ask is compiled once, with the parts for the vector cores and those for the cube core. */
#if !defined(__DAV_VEC__) && (!defined(PTOG_CORE) || PTOG_CORE == 1)
#define __DAV_VEC__ 1
#endif
#if !defined(__DAV_CUBE__) && (!defined(PTOG_CORE) || PTOG_CORE == 2)
#define __DAV_CUBE__ 1
#endif

#endif
