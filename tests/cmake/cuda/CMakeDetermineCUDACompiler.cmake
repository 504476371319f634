# Stands in for CMake's own: the compiler of C++ takes the sources of CUDA's language.
set(CMAKE_CUDA_COMPILER "${CMAKE_CXX_COMPILER}")
if(NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER c++)
endif()
set(CMAKE_CUDA_COMPILER_ENV_VAR CUDACXX)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeCUDACompiler.cmake.in"
               "${CMAKE_PLATFORM_INFO_DIR}/CMakeCUDACompiler.cmake" @ONLY)
