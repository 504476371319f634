// Operators of torch with kernels of your own, for tensors on the device: include this, write a function
// with the operator's C++ signature, and name both in TORCHADA_OVERRIDE. docs/operator-overrides.md has an
// example.
#pragma once

#include <torch/library.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torchada {

// One kernel: the operator's name, "silu" or "add.Tensor" in the namespace aten or "mine::operator", and
// what registers it.
struct Override {
    const char* name;
    void (*add)(torch::Library& library, const char* name);
};

inline std::vector<Override>& overrides() {
    static std::vector<Override> all;
    return all;
}

inline bool& debug() {
    static bool on = false;
    return on;
}

struct Registration {
    Registration(const char* name, void (*add)(torch::Library&, const char*)) { overrides().push_back({name, add}); }
};

// A kernel that says when it is called, if it was asked to.
template <class Function, Function* function, class Name>
struct Kernel;

template <class Result, class... Arguments, Result (*function)(Arguments...), class Name>
struct Kernel<Result(Arguments...), function, Name> {
    static Result call(Arguments... arguments) {
        if (debug()) std::fprintf(stderr, "torchada: %s\n", Name::get());
        return (*function)(std::forward<Arguments>(arguments)...);
    }
    static void add(torch::Library& library, const char* name) { library.impl(name, TORCH_FN(call)); }
};

// The registrations that are on. What is destroyed gives the operator its former kernel back.
inline std::vector<std::unique_ptr<torch::Library>>& libraries() {
    static std::vector<std::unique_ptr<torch::Library>> all;
    return all;
}

} // namespace torchada

#define TORCHADA_JOINED_(a, b) a##b
#define TORCHADA_JOINED(a, b) TORCHADA_JOINED_(a, b)

#define TORCHADA_OVERRIDE(OPERATOR, FUNCTION) TORCHADA_OVERRIDE_(OPERATOR, FUNCTION, __COUNTER__)
#define TORCHADA_OVERRIDE_(OPERATOR, FUNCTION, NUMBER)                                                            \
    namespace {                                                                                                   \
    struct TORCHADA_JOINED(TorchadaName, NUMBER) {                                                                \
        static const char* get() { return OPERATOR; }                                                             \
    };                                                                                                            \
    const torchada::Registration TORCHADA_JOINED(torchada_registration, NUMBER)(                                  \
        OPERATOR,                                                                                                 \
        &torchada::Kernel<decltype(FUNCTION), &FUNCTION, TORCHADA_JOINED(TorchadaName, NUMBER)>::add);            \
    }

// What the Python side calls. Weak, since each source that includes this has them.
#define TORCHADA_EXPORT extern "C" __attribute__((weak, used, visibility("default")))

TORCHADA_EXPORT int torchada_ops_count() { return static_cast<int>(torchada::overrides().size()); }

TORCHADA_EXPORT const char* torchada_ops_name(int index) { return torchada::overrides()[index].name; }

TORCHADA_EXPORT void torchada_ops_debug(int on) { torchada::debug() = on != 0; }

TORCHADA_EXPORT void torchada_ops_off() { torchada::libraries().clear(); }

// The error, or nothing.
TORCHADA_EXPORT const char* torchada_ops_on(int index) {
    static std::string error;
    // That a kernel takes the place of another is what was asked for.
    struct Silent : c10::WarningHandler {
        void process(const c10::Warning&) override {}
    } silent;
    c10::WarningUtils::WarningHandlerGuard guard(&silent);
    try {
        const torchada::Override& each = torchada::overrides()[index];
        const std::string name = each.name;
        const auto colons = name.find("::");
        const std::string space = colons == std::string::npos ? "aten" : name.substr(0, colons);
        auto library = std::make_unique<torch::Library>(
            torch::Library::IMPL, space, c10::DispatchKey::PrivateUse1, __FILE__, __LINE__);
        each.add(*library, each.name);
        torchada::libraries().push_back(std::move(library));
        return nullptr;
    } catch (const std::exception& caught) {
        error = caught.what();
        return error.c_str();
    }
}
