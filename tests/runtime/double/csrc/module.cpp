// The Python module torch_musa._MUSAC, by Python's plain C interface.
#include <Python.h>  // first, as it asks for

#include <torch/csrc/Generator.h>
#include <torch/csrc/autograd/python_variable.h>

#include "fallback.h"
#include "generator.h"
#include "graph.h"
#include "hooks.h"
#include "memory.h"
#include "streams.h"

namespace musa_double {
namespace {

// Python's own error is set already.
struct PythonError {};

// Runs the body of a function; what it throws becomes a RuntimeError.
template <typename Body>
PyObject* guarded(Body body) {
  try {
    return body();
  } catch (const PythonError&) {
  } catch (const c10::Error& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what_without_backtrace());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

int64_t integer(PyObject* object) {
  const long long value = PyLong_AsLongLong(object);
  if (value == -1 && PyErr_Occurred() != nullptr) {
    throw PythonError();
  }
  return value;
}

c10::DeviceIndex device(PyObject* object) {
  const int64_t index = integer(object);
  check_index(index);
  return static_cast<c10::DeviceIndex>(index);
}

PyObject* none() {
  Py_RETURN_NONE;
}

// ---- devices

PyObject* get_device_count(PyObject*, PyObject*) {
  return PyLong_FromLong(device_count());
}

PyObject* get_device(PyObject*, PyObject*) {
  return PyLong_FromLong(current_device());
}

PyObject* set_device(PyObject*, PyObject* index) {
  return guarded([&] {
    set_current_device(device(index));
    return none();
  });
}

// A negative index means: nothing to do.
PyObject* exchange_device(PyObject*, PyObject* index) {
  return guarded([&] {
    if (integer(index) < 0) {
      return PyLong_FromLong(-1);
    }
    const long before = current_device();
    set_current_device(device(index));
    return PyLong_FromLong(before);
  });
}

// Its own function, though it does the same: Python takes two names of one C function for equal, and what
// Dynamo registers for the one would clash with the other.
PyObject* maybe_exchange_device(PyObject* self, PyObject* index) {
  return exchange_device(self, index);
}

PyObject* get_total_memory(PyObject*, PyObject*) {
  return PyLong_FromLongLong(total_memory());
}

// ---- streams

PyObject* get_current_stream(PyObject*, PyObject* index) {
  return guarded([&] {
    const auto on = device(index);
    return Py_BuildValue("(Lii)", static_cast<long long>(current_stream(on)), static_cast<int>(on), static_cast<int>(kMusa));
  });
}

PyObject* get_current_raw_stream(PyObject*, PyObject* index) {
  return guarded([&] { return PyLong_FromLongLong(current_stream(device(index))); });
}

PyObject* set_stream(PyObject*, PyObject* arguments) {
  return guarded([&] {
    long long stream = 0;
    int index = 0;
    if (PyArg_ParseTuple(arguments, "Li", &stream, &index) == 0) {
      throw PythonError();
    }
    check_index(index);
    set_current_device(static_cast<c10::DeviceIndex>(index));
    set_current_stream(static_cast<c10::DeviceIndex>(index), stream);
    return none();
  });
}

// ---- memory

PyObject* get_memory_stats(PyObject*, PyObject* index) {
  return guarded([&] {
    const MemoryStats stats = memory_stats(device(index));
    const auto number = [](int64_t value) { return static_cast<long long>(value); };
    return Py_BuildValue(
        "{sLsLsLsLsL}", "current", number(stats.current), "peak", number(stats.peak), "allocated", number(stats.allocated),
        "freed", number(stats.freed), "ooms", number(stats.ooms));
  });
}

PyObject* reset_peak_memory_stats(PyObject*, PyObject* index) {
  return guarded([&] {
    reset_peak_stats(device(index));
    return none();
  });
}

PyObject* reset_accumulated_memory_stats(PyObject*, PyObject* index) {
  return guarded([&] {
    reset_accumulated_stats(device(index));
    return none();
  });
}

// ---- the rest

PyObject* get_default_generator(PyObject*, PyObject* index) {
  return guarded([&] { return THPGenerator_initDefaultGenerator(default_generator(device(index))); });
}

PyObject* register_device_hook(PyObject*, PyObject*) {
  return guarded([&] {
    register_hooks();
    return none();
  });
}

PyObject* count_fallbacks(PyObject*, PyObject*) {
  return PyLong_FromLongLong(fallback_calls());
}

PyObject* graph_new(PyObject*, PyObject*) {
  return PyLong_FromLongLong(new_graph());
}

PyObject* graph_begin(PyObject*, PyObject* graph) {
  return guarded([&] {
    begin_capture(integer(graph));
    return none();
  });
}

PyObject* graph_end(PyObject*, PyObject*) {
  return guarded([&] {
    end_capture();
    return none();
  });
}

PyObject* graph_replay(PyObject*, PyObject* graph) {
  return guarded([&] {
    replay(integer(graph));
    return none();
  });
}

PyObject* graph_free(PyObject*, PyObject* graph) {
  return guarded([&] {
    free_graph(integer(graph));
    return none();
  });
}

PyObject* graph_operators(PyObject*, PyObject* graph) {
  return guarded([&] {
    PyObject* names = PyList_New(0);
    for (const std::string& name : operators_of(integer(graph))) {
      PyObject* text = PyUnicode_FromString(name.c_str());
      PyList_Append(names, text);
      Py_DECREF(text);
    }
    return names;
  });
}

PyObject* is_current_stream_capturing(PyObject*, PyObject*) {
  return PyBool_FromLong(capturing() ? 1 : 0);
}

// What `torch.Tensor.is_musa` asks; torch_musa has it in C++, too.
PyObject* is_musa(PyObject*, PyObject* tensor) {
  if (!THPVariable_Check(tensor)) {
    PyErr_SetString(PyExc_TypeError, "_is_musa takes a tensor");
    return nullptr;
  }
  return PyBool_FromLong(THPVariable_Unpack(tensor).is_privateuseone() ? 1 : 0);
}

// Names that begin with _musa_ are torch_musa's, and so is _is_musa; the others are the double's own.
PyMethodDef functions[] = {
    {"_is_musa", is_musa, METH_O, nullptr},
    {"_musa_getDeviceCount", get_device_count, METH_NOARGS, nullptr},
    {"_musa_getDevice", get_device, METH_NOARGS, nullptr},
    {"_musa_setDevice", set_device, METH_O, nullptr},
    {"_musa_exchangeDevice", exchange_device, METH_O, nullptr},
    {"_musa_maybeExchangeDevice", maybe_exchange_device, METH_O, nullptr},
    {"_musa_getCurrentStream", get_current_stream, METH_O, nullptr},
    {"_musa_getCurrentRawStream", get_current_raw_stream, METH_O, nullptr},
    {"_musa_setStream", set_stream, METH_VARARGS, nullptr},
    {"_musa_memoryStats", get_memory_stats, METH_O, nullptr},
    {"_musa_resetPeakMemoryStats", reset_peak_memory_stats, METH_O, nullptr},
    {"_musa_resetAccumulatedMemoryStats", reset_accumulated_memory_stats, METH_O, nullptr},
    {"_musa_getDefaultGenerator", get_default_generator, METH_O, nullptr},
    {"_musa_register_device_hook", register_device_hook, METH_NOARGS, nullptr},
    {"_musa_isCurrentStreamCapturing", is_current_stream_capturing, METH_NOARGS, nullptr},
    {"_double_total_memory", get_total_memory, METH_NOARGS, nullptr},
    {"_double_fallback_calls", count_fallbacks, METH_NOARGS, nullptr},
    {"_double_graph_new", graph_new, METH_NOARGS, nullptr},
    {"_double_graph_begin", graph_begin, METH_O, nullptr},
    {"_double_graph_end", graph_end, METH_NOARGS, nullptr},
    {"_double_graph_replay", graph_replay, METH_O, nullptr},
    {"_double_graph_free", graph_free, METH_O, nullptr},
    {"_double_graph_operators", graph_operators, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

// Streams and events of torch_musa have a class in C++ between torch's and the one in Python. It makes its
// objects by itself, whatever becomes of the constructor of torch's class.
newfunc new_stream = nullptr;
newfunc new_event = nullptr;

PyObject* make_stream(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return new_stream(type, args, kwargs);
}

PyObject* make_event(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return new_event(type, args, kwargs);
}

// Adds a class under torch's own of that name; false with Python's error set.
bool add_base(PyObject* module, const char* name, const char* full_name, const char* torch_name, newfunc make, newfunc& inherited) {
  PyObject* torch = PyImport_ImportModule("torch");
  PyObject* parent = torch == nullptr ? nullptr : PyObject_GetAttrString(torch, torch_name);
  Py_XDECREF(torch);
  if (parent == nullptr) {
    return false;
  }
  inherited = reinterpret_cast<PyTypeObject*>(parent)->tp_new;
  PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(make)}, {0, nullptr}};
  PyType_Spec spec{full_name, 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* type = PyType_FromSpecWithBases(&spec, parent);
  Py_DECREF(parent);
  if (type == nullptr) {
    return false;
  }
  if (PyModule_AddObject(module, name, type) < 0) {
    Py_DECREF(type);
    return false;
  }
  return true;
}

PyModuleDef module{PyModuleDef_HEAD_INIT, "torch_musa._MUSAC", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace musa_double

PyMODINIT_FUNC PyInit__MUSAC() {
  using namespace musa_double;
  PyObject* made = PyModule_Create(&module);
  if (made != nullptr &&
      add_base(made, "_MusaStreamBase", "torch_musa._MUSAC._MusaStreamBase", "Stream", make_stream, new_stream) &&
      add_base(made, "_MusaEventBase", "torch_musa._MUSAC._MusaEventBase", "Event", make_event, new_event)) {
    return made;
  }
  Py_XDECREF(made);
  return nullptr;
}
