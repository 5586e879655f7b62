"""A stand-in for torch where it is not installed: tensors over numpy arrays that behave like torch's at the places where
the package touches them. A tensor that requires a gradient exports no memory, types have torch's names, and types that
numpy does not have are stored as integers."""

import numpy as np


class dtype:
    def __init__(self, name, storage):
        self.name, self.storage = name, np.dtype(storage)

    def __repr__(self):
        return f"torch.{self.name}"


class device:
    def __init__(self, kind):
        self.type = kind

    def __str__(self):
        return self.type if self.type == "cpu" else self.type + ":0"


uint8, int8, int16, int32, int64 = (dtype(name, name) for name in ("uint8", "int8", "int16", "int32", "int64"))
float16, float32, float64 = (dtype(name, name) for name in ("float16", "float32", "float64"))
complex64, complex128 = dtype("complex64", "complex64"), dtype("complex128", "complex128")
bool = dtype("bool", "?")
bfloat16 = dtype("bfloat16", "u2")
float8_e4m3fn = dtype("float8_e4m3fn", "u1")
qint8 = dtype("qint8", "i1")


class Tensor:
    def __init__(self, array, kind, requires_grad=False, place="cpu", conjugate=False):
        self.array, self.dtype, self.requires_grad, self.device = array, kind, requires_grad, device(place)
        self.conjugate = conjugate

    @property
    def shape(self):
        return self.array.shape

    def detach(self):
        return Tensor(self.array, self.dtype, place=self.device.type, conjugate=self.conjugate)

    def clone(self):
        return Tensor(self.array.copy(), self.dtype, self.requires_grad, conjugate=self.conjugate)

    def conj(self):
        return Tensor(self.array, self.dtype, self.requires_grad, conjugate=not self.conjugate)

    def resolve_conj(self):
        return Tensor(self.array.conj(), self.dtype) if self.conjugate else self

    def resolve_neg(self):
        return self

    def data_ptr(self):
        return self.array.__array_interface__["data"][0]

    def element_size(self):
        return self.array.itemsize

    def view(self, kind):
        if kind.storage.itemsize != self.array.itemsize:
            raise RuntimeError("view: the sizes differ")
        return Tensor(self.array.view(kind.storage), kind, self.requires_grad)

    def numpy(self):
        return self.array

    def tolist(self):
        return self.array.tolist()

    def __array__(self, kind=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")

    def __dlpack__(self, stream=None):
        if self.requires_grad:
            raise RuntimeError("Can't export tensors that require gradient, use tensor.detach()")
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Parameter(Tensor):
    """As torch.nn.Parameter: a tensor that requires a gradient."""


def tensor(values, dtype=None, requires_grad=False):
    array = np.array(values) if dtype is None else np.array(values, dtype.storage)
    return Tensor(array, dtype or globals()[array.dtype.name], requires_grad)


def from_dlpack(array):
    array.__dlpack__()  # raises for what DLPack cannot export; numpy's own import of it would be read-only
    return Tensor(array, globals()[array.dtype.name])


def view_as_real(tensor):
    return Tensor(tensor.array.view(np.float64).reshape(*tensor.shape, 2), float64)


def view_as_complex(tensor):
    return Tensor(tensor.array.view(np.complex128)[..., 0], complex128)
