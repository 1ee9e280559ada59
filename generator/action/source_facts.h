// Puts the facts of several readings of one text together.
#pragma once

#include "action/source_scan.h"

namespace scene_kernels {

// Adds `more` to `all`, which ends up in the order that SourceFacts promises.
void merge_facts(SourceFacts &all, SourceFacts &&more);

}  // namespace scene_kernels
