#include "store/manifest.h"
