# Stands in for the SDK's module: its targets, with nothing behind them.
set(MUSAToolkit_FOUND TRUE)
set(MUSAToolkit_INCLUDE_DIRS "${CMAKE_CURRENT_LIST_DIR}")
foreach(name musart musart_static mublas mublasLt mufft murand musparse musolver musa_driver toolkit)
  if(NOT TARGET MUSA::${name})
    add_library(MUSA::${name} INTERFACE IMPORTED)
  endif()
endforeach()
