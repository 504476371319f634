# Stands in for CMake's old module: the same commands, the compiler of C++ for everything.
set(CUDA_FOUND TRUE)
set(CUDA_TOOLKIT_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}")

macro(cuda_sources)
  foreach(argument ${ARGN})
    if(argument MATCHES "\\.cu$")
      set_source_files_properties(${argument} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xcuda")
    endif()
  endforeach()
endmacro()

macro(cuda_add_library target)
  cuda_sources(${ARGN})
  add_library(${target} ${ARGN})
endmacro()

macro(cuda_add_executable target)
  cuda_sources(${ARGN})
  add_executable(${target} ${ARGN})
endmacro()

macro(cuda_include_directories)
  include_directories(${ARGN})
endmacro()
