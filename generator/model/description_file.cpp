#include "model/description_file.h"

#include <fmt/format.h>

#include "model/fields.h"
#include "model/load.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

constexpr int k_schema_version = 1;

tl::unexpected<Error> as_input_error(Error error) {
    error.kind = ErrorKind::input;
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Expected<std::string> read_description(FileSystem &files, const std::string &path) {
    const std::string shown = printable(path, k_max_text_bytes);
    const auto status = files.stat(path);
    if (!status) {
        return as_input_error(status.error());
    }
    if (!*status) {
        return input_error(shown + ": no such file");
    }
    if ((*status)->type != FileType::regular) {
        return input_error(shown + ((*status)->type == FileType::directory ? ": is a directory, must be a file"
                                                                           : ": is not a regular file"));
    }
    const auto too_large = [&shown](std::uint64_t size) {
        return input_error(fmt::format("{}: has {} bytes; at most {} are read", shown, size, k_max_description_bytes));
    };
    if ((*status)->size > k_max_description_bytes) {
        return too_large((*status)->size);
    }
    auto text = files.read(path);
    if (!text) {
        return as_input_error(text.error());
    }
    if (text->size() > k_max_description_bytes) {  // it grew meanwhile
        return too_large(text->size());
    }
    return std::move(*text);
}

bool check_schema_version(Problems &problems, const JsonValue &root) {
    const JsonMember *const member = find_member(root, "schema");
    if (member == nullptr) {
        return true;
    }
    const JsonValue &version = member->value;
    if (version.kind != JsonKind::integer) {
        problems.add(version, fmt::format("must be the integer {}", k_schema_version));
        return false;
    }
    if (version.integer != k_schema_version) {
        problems.add(version, fmt::format("version {} is not supported; this program reads version {}", version.integer,
                                          k_schema_version));
        return false;
    }
    return true;
}

}  // namespace scene_kernels
