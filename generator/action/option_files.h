// What the options of a compiler or linker name: response files, which are taken apart, and files that no depfile
// lists, which count by content. Also the options that would make such lists untrue. Knows no descriptions.
#pragma once

#include <string>
#include <vector>

#include "action/expand.h"
#include "base/error.h"
#include "os/filesystem.h"

namespace scene_kernels {

// The words of a command with every `@FILE` replaced by the words in that file, as GCC, Clang and the binutils do it
// (libiberty's buildargv: blanks separate, quotes and backslashes protect; files may name files). The files that were
// read are added to `files`, absolute. Relative names start at `directory`. Errors of kind input.
[[nodiscard]] Expected<std::vector<Spelled>> expand_response_files(FileSystem &filesystem, const std::string &directory,
                                                                   std::vector<Spelled> words,
                                                                   std::vector<std::string> &files);

// Why a compiler of a family that is asked for depfiles must not get these words ("option -MMD: ..."); empty if it may.
// `directory` as above. What an option reads by a name that is not in it, or instead of the files that a depfile lists,
// could change without any key noticing.
[[nodiscard]] Expected<std::string> refused_option(FileSystem &files, const std::string &directory,
                                                   const std::vector<std::string> &words);

// The regular files that options among `words` may name, absolute and sorted, whatever the option: values, parts of
// values behind '=' and ',', and what follows a letter directly. A name too many costs a rebuild when that file
// changes; one too few would be a wrong hit. `absent` gets what looks like a file's path and is not there.
[[nodiscard]] std::vector<std::string> files_named_by(FileSystem &files, const std::string &directory,
                                                      const std::vector<std::string> &words,
                                                      std::vector<std::string> &absent);

}  // namespace scene_kernels
