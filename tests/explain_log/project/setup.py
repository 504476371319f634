from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="app",
    ext_modules=[CUDAExtension("app", ["src/alloc.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
