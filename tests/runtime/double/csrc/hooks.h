// The hooks by which torch reaches a PrivateUse1 backend outside its dispatcher.
#pragma once

namespace musa_double {

// Makes them known to torch. Later calls do nothing.
void register_hooks();

}  // namespace musa_double
