#include "model/load.h"
