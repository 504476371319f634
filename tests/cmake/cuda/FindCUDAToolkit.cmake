# Stands in for CMake's own: its targets, with nothing behind them.
set(CUDAToolkit_FOUND TRUE)
set(CUDAToolkit_VERSION "12.6")
set(CUDAToolkit_INCLUDE_DIRS "${CMAKE_CURRENT_LIST_DIR}")
set(CUDAToolkit_LIBRARY_DIR "${CMAKE_CURRENT_LIST_DIR}")
