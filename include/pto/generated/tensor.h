/* pto: what generated kernels include as tensor.h: all of it is in the header of the instructions. */
#ifndef PTO_GENERATED_TENSOR_H
#define PTO_GENERATED_TENSOR_H

#include <pto/pto-inst.hpp>

#endif
