# Stands in for the SDK's module: the same commands and variables, the compiler of C++ for everything. It takes what
# FindCUDA took, so that a list, a keyword or a property that the real one would stop at stops this one, too.
set(MUSA_FOUND TRUE)
set(MUSA_TOOLKIT_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}")
set(MUSA_INCLUDE_DIRS "${CMAKE_CURRENT_LIST_DIR}")
set(MUSA_LIBRARIES "")

function(musa_sources_of result)
  set(sources "")
  foreach(argument IN LISTS ARGN)
    if(argument MATCHES "\\.mu$")
      set_source_files_properties(${argument} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++")
    endif()
    list(APPEND sources "${argument}")
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# As FindCUDA does, each target is linked here already: with keywords or without, as the variable says.
macro(musa_add_library musa_target)
  musa_sources_of(_musa_sources ${ARGN})
  add_library(${musa_target} ${_musa_sources})
  target_link_libraries(${musa_target} ${MUSA_LINK_LIBRARIES_KEYWORD} ${MUSA_LIBRARIES} m)
  message(STATUS "${musa_target}: ${MUSA_MCC_FLAGS}")
endmacro()

macro(musa_add_executable musa_target)
  musa_sources_of(_musa_sources ${ARGN})
  add_executable(${musa_target} ${_musa_sources})
  target_link_libraries(${musa_target} ${MUSA_LINK_LIBRARIES_KEYWORD} ${MUSA_LIBRARIES} m)
  message(STATUS "${musa_target}: ${MUSA_MCC_FLAGS}")
endmacro()

macro(musa_include_directories)
  include_directories(${ARGN})
endmacro()
