# find_package(torchada): ports the sources of targets for MUSA while they are built. docs/build.md shows its use.
#
#   torchada_WANTED    whether sources are ported here, as `torchada.build.is_wanted()` says
#   TORCHADA_FORCE     has them ported wherever it is true
#   TORCHADA_BINARY    the program, where it is not to be looked for
#   TORCHADA_PYTHON    a Python from 3.9 on, where it is not to be looked for; it needs no package

if(CMAKE_VERSION VERSION_LESS 3.20)
  set(torchada_FOUND FALSE)
  set(torchada_NOT_FOUND_MESSAGE "torchada needs CMake 3.20 or newer, and this is ${CMAKE_VERSION}")
  return()
endif()

if(NOT TORCHADA_PYTHON)
  # The Python that the package was installed for, or the one that the project has found.
  set(_torchada_pythons "${Python_EXECUTABLE}" "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/../../../../../bin/python3")
  foreach(_torchada_python IN LISTS _torchada_pythons)
    if(_torchada_python AND EXISTS "${_torchada_python}")
      set(TORCHADA_PYTHON "${_torchada_python}")
      break()
    endif()
  endforeach()
  unset(_torchada_pythons)
  unset(_torchada_python)
endif()
if(NOT TORCHADA_PYTHON)
  find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
  set(TORCHADA_PYTHON "${Python3_EXECUTABLE}")
endif()
if(NOT TORCHADA_PYTHON)
  set(torchada_FOUND FALSE)
  set(torchada_NOT_FOUND_MESSAGE "torchada needs Python 3.9 or newer: set TORCHADA_PYTHON")
  return()
endif()

# What the function needs, wherever it is called.
set(_torchada_script "${CMAKE_CURRENT_LIST_DIR}/port.py" CACHE INTERNAL "")
set(_torchada_python "${TORCHADA_PYTHON}" CACHE INTERNAL "")
set(_torchada_environment "" CACHE INTERNAL "")
if(TORCHADA_BINARY)
  set(_torchada_environment "TORCHADA_BINARY=${TORCHADA_BINARY}" CACHE INTERNAL "")
endif()

if(TORCHADA_FORCE)
  set(torchada_WANTED TRUE CACHE INTERNAL "")
else()
  execute_process(
    COMMAND "${TORCHADA_PYTHON}" "${_torchada_script}" wanted
    OUTPUT_VARIABLE _torchada_wanted OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE _torchada_result)
  if(NOT _torchada_result EQUAL 0)
    set(torchada_FOUND FALSE)
    set(torchada_NOT_FOUND_MESSAGE "${TORCHADA_PYTHON} can't run ${_torchada_script}")
    return()
  endif()
  set(torchada_WANTED "${_torchada_wanted}" CACHE INTERNAL "")
endif()
if(torchada_WANTED)
  # The program that is there now is the one to build with, whatever the PATH is then.
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env ${_torchada_environment} "${TORCHADA_PYTHON}" "${_torchada_script}" binary
    OUTPUT_VARIABLE _torchada_found OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_VARIABLE _torchada_error ERROR_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE _torchada_result)
  if(NOT _torchada_result EQUAL 0)
    set(torchada_FOUND FALSE)
    set(torchada_NOT_FOUND_MESSAGE "${_torchada_error}")
    return()
  endif()
  set(_torchada_environment "TORCHADA_BINARY=${_torchada_found}" CACHE INTERNAL "")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/torchadaPort.cmake")
