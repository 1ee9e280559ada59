#include "build/packing.h"

#include <charconv>
#include <limits>

#include "base/strings.h"
#include "model/printable.h"

namespace scene_kernels {

namespace {

std::string signature_text(const std::vector<ArgDirection> &signature) {
    std::vector<std::string> words;
    for (const ArgDirection direction : signature) {
        words.emplace_back(to_text(direction));
    }
    return join(words, ",");
}

// See generator/pack/pack_spec.h for the format.
std::string spec_text(const PackSpec &spec, const PackFiles &places) {
    std::string text = "scene-kernels-pack 1\n";
    text += "function " + spec.function_name + "\n";
    text += "config " + spec.config_name + "\n";
    text += "signature " + signature_text(spec.signature) + "\n";
    text += "library " + places.library + "\n";
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
        const PackChild &child = spec.children[i];
        const std::string signature = signature_text(child.signature);
        text += "child " + std::to_string(child.func_id) + " " + (signature.empty() ? "-" : signature) + " " +
                places.images[i] + "\n";
    }
    return text;
}

Expected<void> run_packer(ProcessRunner &processes, const std::vector<std::string> &argv,
                          const ProcessSpec &surroundings) {
    ProcessSpec spec = surroundings;
    spec.argv = argv;
    spec.merge_output = true;
    SK_TRY(const ProcessResult result, processes.run(spec));
    if (result.exit_status != 0) {
        std::string message = result.output;
        while (!message.empty() && message.back() == '\n') {
            message.pop_back();
        }
        return failure(message.empty() ? "the packer ended with status " + std::to_string(result.exit_status)
                                       : message);
    }
    return {};
}

// The numbers of one line behind its first word; nothing if they are not `count` numbers.
bool numbers_of(const std::string &line, std::size_t count, std::vector<std::uint64_t> &numbers) {
    const std::vector<std::string> words = split(line, ' ');
    numbers.clear();
    for (std::size_t i = 1; i < words.size(); ++i) {
        std::uint64_t number = 0;
        const char *const end = words[i].data() + words[i].size();
        const auto [stop, error] = std::from_chars(words[i].data(), end, number);
        if (error != std::errc{} || stop != end) {
            return false;
        }
        numbers.push_back(number);
    }
    return numbers.size() == count;
}

Expected<PackedLayout> parse_layout(const std::string &text, const PackSpec &spec) {
    PackedLayout layout;
    std::vector<std::uint64_t> numbers;
    for (const std::string &line : split(text, '\n')) {
        if (line.compare(0, 7, "binary ") == 0 && numbers_of(line, 2, numbers)) {
            layout.binary_offset = numbers[0];
            layout.binary_size = numbers[1];
        } else if (line.compare(0, 6, "child ") == 0 && numbers_of(line, 6, numbers) &&
                   layout.children.size() < spec.children.size()) {
            const PackChild &child = spec.children[layout.children.size()];
            PackedChild packed;
            packed.func_id = child.func_id;
            packed.name = child.name;
            packed.core_type = to_text(child.core_type);
            packed.offset = numbers[1];
            packed.size = numbers[2];
            packed.code_offset = numbers[3];
            packed.code_size = numbers[4];
            packed.resolved_address_offset = numbers[5];
            layout.children.push_back(std::move(packed));
        } else if (!line.empty() && line.compare(0, 5, "size ") != 0) {
            return failure("the packer wrote a layout that this version does not understand: " + printable(line));
        }
    }
    if (layout.children.size() != spec.children.size()) {
        return failure("the packer wrote a layout of " + std::to_string(layout.children.size()) + " kernels for " +
                       std::to_string(spec.children.size()));
    }
    return layout;
}

}  // namespace

Expected<PackedLayout> pack_callable(FileSystem &files, ProcessRunner &processes, const PackSpec &spec,
                                     const PackFiles &places, const ProcessSpec &surroundings) {
    const std::string spec_path = path_join(places.scratch, "spec");
    const std::string layout_path = path_join(places.scratch, "layout");
    SK_CHECK(files.write(spec_path, spec_text(spec, places)));
    SK_CHECK(run_packer(processes,
                        {places.packer, spec_path, path_join(places.directory, k_callable_output), layout_path},
                        surroundings));
    SK_TRY(const std::string text, files.read(layout_path));
    SK_TRY(PackedLayout layout, parse_layout(text, spec));
    layout.function_name = spec.function_name;
    layout.config_name = spec.config_name;
    for (const ArgDirection direction : spec.signature) {
        layout.signature.emplace_back(to_text(direction));
    }
    SK_TRY(const std::string sample, files.read(places.sample));
    layout.abi_token = Sha256::of(sample);
    return layout;
}

Expected<void> write_sample(ProcessRunner &processes, const std::string &packer, const std::string &sample,
                            const ProcessSpec &surroundings) {
    return run_packer(processes, {packer, "--sample", sample}, surroundings);
}

}  // namespace scene_kernels
