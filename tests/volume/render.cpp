#include "render.h"

#include <nlohmann/json.hpp>

#include "support/files.h"

namespace scene_kernels::volume {

namespace {

using nlohmann::json;

std::string header_macro(int index, const char *end) {
    return "H" + std::to_string(index) + end;
}

std::string optional_macro(int index) {
    return "OPT" + std::to_string(index) + "_VALUE";
}

// Collects the text of one file, and the expression of what it contributes.
class Writer {
public:
    Writer(const Tree &tree, const FileSpec &spec) : m_tree(tree), m_spec(spec) {
        line("// note " + std::to_string(spec.note));
    }

    void line(const std::string &text) { m_text += text + "\n"; }
    std::string take() { return std::move(m_text); }

    void include_headers() {
        for (const int header : m_spec.includes) {
            line("#include " + quoted(header_name_of(header)));
        }
    }

    // Defines `macro` as what a question for an optional header comes to.
    void ask(const std::string &macro) {
        const std::string name = quoted(m_tree.optional_names[static_cast<std::size_t>(m_spec.asks)]);
        line("#undef " + macro);
        line("#if __has_include(" + name + ")");
        if (!m_spec.only_asks) {
            line("#include " + name);
        }
        line("#define " + macro + " " + (m_spec.only_asks ? "7" : optional_macro(m_spec.asks)));
        line("#else");
        line("#define " + macro + " 0");
        line("#endif");
    }

    void include_picked(const std::string &macro) {
        line("#undef " + macro);
        line("#define " + macro + " \"" + header_name_of(m_spec.picks) + "\"");
        line("#include " + macro);
    }

    void include_inactive() {
        line("#ifdef NEVER_DEFINED");
        line("#include \"" + header_name_of(m_spec.inactive) + "\"");
        line("#endif");
    }

    void include_next(int own) { line("#include_next \"" + header_name_of(own) + "\""); }

    // Defines `macro`, depending on the SDK's flag where the file looks at one.
    void define(const std::string &macro, const std::string &more) {
        const std::string value = std::to_string(m_spec.value);
        line("#undef " + macro);
        if (m_spec.flag < 0) {
            line("#define " + macro + " (" + value + more + ")");
            return;
        }
        line("#ifdef FLAG_" + std::to_string(m_spec.flag));
        line("#define " + macro + " (" + value + more + ")");
        line("#else");
        line("#define " + macro + " (3 * " + value + more + ")");
        line("#endif");
    }

private:
    std::string header_name_of(int header) const { return m_tree.header_names[static_cast<std::size_t>(header)]; }
    std::string quoted(const std::string &name) const {
        return m_spec.brackets ? "<" + name + ">" : "\"" + name + "\"";
    }

    const Tree &m_tree;
    const FileSpec &m_spec;
    std::string m_text;
};

std::string header_text(const Tree &tree, int index, const FileSpec &spec) {
    Writer writer(tree, spec);
    const std::string serial = std::to_string(spec.serial);
    if (spec.once) {
        writer.line("#pragma once");
        writer.line("// serial " + serial);  // GCC takes headers of equal content for one
    } else {
        writer.line("#ifndef GUARD_" + serial);
        writer.line("#define GUARD_" + serial);
    }
    std::string more;
    writer.include_headers();
    for (const int header : spec.includes) {
        more += " + " + header_macro(header, "_VALUE");
    }
    if (spec.asks >= 0) {
        writer.ask(header_macro(index, "_ASKED"));
        more += " + " + header_macro(index, "_ASKED");
    }
    if (spec.picks >= 0) {
        writer.include_picked(header_macro(index, "_PICK"));
        more += " + " + header_macro(spec.picks, "_VALUE");
    }
    if (spec.inactive >= 0) {
        writer.include_inactive();
    }
    const std::string macro = header_macro(index, "_VALUE");
    if (spec.wraps) {
        // There may be no next version, or its include guard may be taken: then nothing is below.
        const std::string below = "below_" + std::to_string(index) + "_" + serial;
        writer.include_next(index);
        writer.line("#ifdef " + macro);
        writer.line("enum { " + below + " = " + macro + " };");
        writer.line("#else");
        writer.line("enum { " + below + " = 1 };");
        writer.line("#endif");
        more += " + " + below;
    }
    writer.define(macro, more);
    if (!spec.once) {
        writer.line("#endif");
    }
    return writer.take();
}

std::string optional_text(const Tree &tree, int index, const FileSpec &spec) {
    Writer writer(tree, spec);
    writer.define(optional_macro(index), "");
    return writer.take();
}

// What the sources have in common: includes, and stores of all values through `target`.
std::string source_start(Writer &writer, const FileSpec &spec, const std::string &target) {
    writer.include_headers();
    std::vector<std::string> values = {"OWN_VALUE", "VOLUME_COMPILER", "__LINE__"};
    for (const int header : spec.includes) {
        values.push_back(header_macro(header, "_VALUE"));
    }
    if (spec.asks >= 0) {
        writer.ask("OWN_ASKED");
        values.emplace_back("OWN_ASKED");
    }
    if (spec.picks >= 0) {
        writer.include_picked("OWN_PICK");
        values.push_back(header_macro(spec.picks, "_VALUE"));
    }
    writer.define("OWN_VALUE", "");
    std::string stores;
    for (std::size_t i = 0; i < values.size(); ++i) {
        stores += "    " + target + "[" + std::to_string(i) + "] = " + values[i] + ";\n";
    }
    return stores;
}

std::string kernel_text(const Tree &tree, const FileSpec &spec) {
    Writer writer(tree, spec);
    const std::string stores = source_start(writer, spec, "args");
    writer.line("extern \"C\" void kernel_entry(long *args) {\n" + stores + "    args[20] = CORE;\n}");
    return writer.take();
}

std::string orchestration_text(const Tree &tree, int scene, const FileSpec &spec) {
    Writer writer(tree, spec);
    const std::string number = std::to_string(scene);
    const std::string stores = source_start(writer, spec, "values");
    writer.line("extern \"C\" long volume_runtime(long *values);");
    for (const char *name : {"build_a", "build_b"}) {
        writer.line("extern \"C\" long " + std::string(name) + number + "(long *values) {\n" + stores +
                    "    return volume_runtime(values);\n}");
    }
    writer.line("extern \"C\" int configure" + number + "() {\n    return " + number + ";\n}");
    return writer.take();
}

std::string runtime_text(const Tree &tree, const FileSpec &spec) {
    Writer writer(tree, spec);
    const std::string stores = source_start(writer, spec, "values");
    writer.line("extern \"C\" long volume_runtime(long *values) {\n" + stores + "    return values[0];\n}");
    return writer.take();
}

std::string text_of(const Tree &tree, const FileId &id, const FileSpec &spec) {
    switch (id.role) {
        case Role::header:
            return header_text(tree, id.index, spec);
        case Role::optional:
            return optional_text(tree, id.index, spec);
        case Role::kernel:
            return kernel_text(tree, spec);
        case Role::orchestration:
            return orchestration_text(tree, id.index, spec);
        case Role::runtime:
            break;
    }
    return runtime_text(tree, spec);
}

std::string descriptor(const Tree &tree, int index) {
    const Scene &scene = tree.scenes[static_cast<std::size_t>(index)];
    json incores = json::array();
    for (const KernelUse &use : scene.kernels) {
        const std::string path = path_of(tree, kernel_id(use.kernel));
        const std::string own = scene_folder(index) + "/";
        json incore = {{"func_id", use.func_id},
                       {"core_type", use.cube ? "aic" : "aiv"},
                       {"source", path.starts_with(own) ? path.substr(own.size()) : "../../" + path},
                       {"signature", signature(tree, index)}};
        if (scene.extra) {
            incore["extra_include_dirs"] = {"include"};
        }
        incores.push_back(incore);
    }
    const json callable = {{"name", scene_name(index)},
                           {"orchestration",
                            {{"source", "orchestration/o" + std::to_string(index) + ".cpp"},
                             {"function_name", function_name(tree, index)},
                             {"config_name", config_name(tree, index)},
                             {"signature", signature(tree, index)}}},
                           {"incores", incores}};
    const json text = {{"schema", 1},
                       {"name", scene_name(index)},
                       {"runtime", k_runtime_variant},
                       {"callables", {callable}},
                       {"cases", {{{"name", "default"}, {"platforms", {"sim"}}}}}};
    return text.dump(2) + "\n";
}

json step(const std::vector<std::string> &args, const char *reads) {
    return {{"run", "compiler"}, {"args", args}, {"reads", {reads}}};
}

json compile(const char *output) {
    return step({"-c", "-O0", "-fPIC", "{args}", "{include_dirs}", "{source}", "-o", output}, "sources");
}

std::vector<std::string> flag_args(const std::set<int> &flags) {
    std::vector<std::string> args = {"-std=c++17"};
    for (const int flag : flags) {
        args.push_back("-DFLAG_" + std::to_string(flag));
    }
    return args;
}

std::string sdk_text(const Sdk &sdk) {
    std::vector<std::string> folders;
    for (const std::string &folder : sdk.folders) {
        folders.push_back("../" + folder);
    }
    const json compiler = {{"program", "{sdk}/" + compiler_path(sdk.compiler).substr(std::string("sdk/").size())},
                           {"family", "gcc"},
                           {"wraps", {VOLUME_REAL_COMPILER}}};
    const json kernels = {
        {"compilers", {compiler}},
        {"image",
         {compile("{object}"),
          step({"-shared", "-nostdlib", "-Wl,-z,noseparate-code", "{object}", "-o", "{output}"}, "libraries")}},
        {"object", {compile("{output}")}},
        {"library", {step({"-shared", "-nostartfiles", "{args}", "{objects}", "-o", "{output}"}, "libraries")}}};
    const json host = {{"compilers", {{{"program", VOLUME_REAL_COMPILER}, {"family", "gcc"}}}},
                       {"program",
                        {step({"-c", "-O0", "{args}", "{include_dirs}", "{source}", "-o", "{object}"}, "sources"),
                         step({"{object}", "-o", "{output}"}, "libraries")}}};
    const json platform = {
        {"image",
         {{"toolchain", "kernels"},
          {"args", flag_args(sdk.image_flags)},
          {"aic_args", {"-DCORE=1"}},
          {"aiv_args", {"-DCORE=2"}},
          {"include_dirs", folders}}},
        {"orchestration",
         {{"toolchain", "kernels"},
          {"args", flag_args(sdk.orchestration_flags)},
          {"include_dirs", {std::string("../") + k_base_folder}}}},
        {"runtimes",
         {{k_runtime_variant,
           {{"include_dirs", {std::string("../") + k_runtime_folder}}, {"sources", {"runtime/runtime.cpp"}}}}}}};
    const json text = {
        {"schema", 1},
        {"name", "volume"},
        {"default_platform", "sim"},
        {"packer",
         {{"toolchain", "host"}, {"header", "callable.h"}, {"include_dirs", {"pack"}}, {"args", {"-std=c++17"}}}},
        {"toolchains", {{"host", host}, {"kernels", kernels}}},
        {"platforms", {{"sim", platform}}}};
    return text.dump(2) + "\n";
}

}  // namespace

Fixtures read_fixtures() {
    Fixtures fixtures;
    fixtures.packer_headers = e2e::tree_contents(E2E_CALLABLE_HEADERS);
    fixtures.compiler = e2e::read_file(VOLUME_STAND_IN);
    return fixtures;
}

std::string compiler_path(int place) {
    return std::string("sdk/tools/") + (place == 0 ? "one" : "two") + "/cxx";
}

std::string function_name(const Tree &tree, int scene) {
    const bool other = tree.scenes[static_cast<std::size_t>(scene)].function != 0;
    return (other ? "build_b" : "build_a") + std::to_string(scene);
}

std::string config_name(const Tree &tree, int scene) {
    return tree.scenes[static_cast<std::size_t>(scene)].configures ? "configure" + std::to_string(scene) : "";
}

std::vector<std::string> signature(const Tree &tree, int scene) {
    std::vector<std::string> directions(
        static_cast<std::size_t>(tree.scenes[static_cast<std::size_t>(scene)].arguments), "in");
    directions.back() = "out";
    return directions;
}

Texts render(const Tree &tree, const Fixtures &fixtures) {
    Texts texts;
    for (const auto &[id, spec] : tree.files) {
        texts.emplace(path_of(tree, id), text_of(tree, id, spec));
    }
    for (int scene = 0; scene < k_scenes; ++scene) {
        texts.emplace(scene_folder(scene) + "/" + scene_name(scene) + ".scene.json", descriptor(tree, scene));
        // A scene's own include directory must exist.
        texts.emplace(scene_folder(scene) + "/include/readme.txt", "Headers of this scene.\n");
    }
    texts.emplace(k_sdk_file, sdk_text(tree.sdk));
    for (int place = 0; place < k_compilers; ++place) {
        texts.emplace(compiler_path(place),
                      fixtures.compiler + std::to_string(tree.sdk.contents[static_cast<std::size_t>(place)]));
    }
    for (const auto &[name, text] : fixtures.packer_headers) {
        texts.emplace(std::string(k_packer_folder) + "/" + name, text);
    }
    texts.at(std::string(k_packer_folder) + "/callable.h") += "// note " + std::to_string(tree.sdk.packer_note) + "\n";
    for (const auto &[path, number] : tree.unrelated) {
        texts.emplace(path, "#error nobody reads this: " + std::to_string(number) + "\n");
    }
    return texts;
}

}  // namespace scene_kernels::volume
