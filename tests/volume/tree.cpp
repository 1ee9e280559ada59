#include "tree.h"

#include <algorithm>

namespace scene_kernels::volume {

namespace {

// Headers that includes lead to lie behind `index`; the last one includes nothing.
std::vector<int> some_behind(Dice &dice, int index, int most) {
    std::vector<int> chosen;
    const int count = dice.below(most + 1);
    for (int i = 0; i < count && index + 1 < k_headers; ++i) {
        const int header = dice.between(index + 1, k_headers - 1);
        if (std::find(chosen.begin(), chosen.end(), header) == chosen.end()) {
            chosen.push_back(header);
        }
    }
    return chosen;
}

int maybe_behind(Dice &dice, int index, int one_in) {
    return index + 1 < k_headers && dice.one_in(one_in) ? dice.between(index + 1, k_headers - 1) : -1;
}

FileSpec base_header(Dice &dice, int index) {
    FileSpec spec;
    spec.value = dice.between(100, 999);
    spec.serial = 1000 + index;
    spec.once = dice.one_in(3);
    spec.brackets = dice.one_in(3);
    spec.includes = some_behind(dice, index, 1);
    spec.asks = dice.one_in(2) ? dice.below(k_optionals) : -1;
    spec.only_asks = dice.one_in(3);
    spec.picks = maybe_behind(dice, index, 4);
    spec.inactive = maybe_behind(dice, index, 4);
    spec.flag = dice.one_in(3) ? dice.below(k_flags) : -1;
    return spec;
}

FileSpec source(Dice &dice, int most) {
    FileSpec spec;
    spec.value = dice.between(100, 999);
    spec.brackets = dice.one_in(3);
    spec.includes = some_behind(dice, -1, most);
    spec.asks = dice.one_in(3) ? dice.below(k_optionals) : -1;
    spec.flag = dice.one_in(3) ? dice.below(k_flags) : -1;
    return spec;
}

Scene start_scene(int scene) {
    Scene made;
    const int own = k_kernels - k_shared_kernels;
    for (int kernel = 0; kernel < own; ++kernel) {
        if (kernel % k_scenes == scene) {
            made.kernels.push_back({kernel, kernel, kernel % 2 == 1});
        }
    }
    made.kernels.push_back({100, own + scene % k_shared_kernels, false});
    return made;
}

}  // namespace

std::uint64_t Dice::next() {
    // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
    m_state += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
}

int Dice::below(int count) {
    return static_cast<int>(next() % static_cast<std::uint64_t>(count));
}

std::string scene_name(int scene) {
    return "s" + std::to_string(scene);
}

std::string scene_folder(int scene) {
    return "scenes/" + scene_name(scene);
}

std::string header_name(int index, bool other) {
    // Every third header lies in a folder of its own below the include directory.
    return (index % 3 == 2 ? "sub/" : "") + std::string(other ? "g" : "h") + std::to_string(index) + ".h";
}

FileId kernel_id(int kernel) {
    const bool shared = kernel >= k_kernels - k_shared_kernels;
    return {Role::kernel, shared ? "kernels" : scene_folder(kernel % k_scenes) + "/kernels", kernel};
}

FileId orchestration_id(int scene) {
    return {Role::orchestration, scene_folder(scene) + "/orchestration", scene};
}

FileId runtime_id() {
    return {Role::runtime, "sdk/runtime", 0};
}

std::string path_of(const Tree &tree, const FileId &id) {
    const auto index = static_cast<std::size_t>(id.index);
    const std::string number = std::to_string(id.index);
    switch (id.role) {
        case Role::header:
            return id.folder + "/" + tree.header_names[index];
        case Role::optional:
            return id.folder + "/" + tree.optional_names[index];
        case Role::kernel:
            return id.folder + "/k" + number + ".cpp";
        case Role::orchestration:
            return id.folder + "/o" + number + ".cpp";
        case Role::runtime:
            break;
    }
    return id.folder + "/runtime.cpp";
}

std::vector<std::string> shadow_folders() {
    std::vector<std::string> folders = {k_include_folders[0], k_include_folders[1], k_runtime_folder, "kernels"};
    for (int scene = 0; scene < k_scenes; ++scene) {
        folders.push_back(scene_folder(scene) + "/kernels");
        folders.push_back(scene_folder(scene) + "/include");
    }
    folders.push_back(orchestration_id(0).folder);
    folders.push_back(runtime_id().folder);
    return folders;
}

Tree start_tree(std::uint64_t seed) {
    Dice dice(seed);
    Tree tree;
    for (int index = 0; index < k_headers; ++index) {
        tree.header_names.push_back(header_name(index, false));
        tree.files.emplace(FileId{Role::header, k_base_folder, index}, base_header(dice, index));
    }
    for (int index = 0; index < k_optionals; ++index) {
        tree.optional_names.push_back("opt" + std::to_string(index) + ".h");
    }
    for (int kernel = 0; kernel < k_kernels; ++kernel) {
        tree.files.emplace(kernel_id(kernel), source(dice, 2));
    }
    for (int scene = 0; scene < k_scenes; ++scene) {
        tree.files.emplace(orchestration_id(scene), source(dice, 1));
        tree.scenes.push_back(start_scene(scene));
    }
    tree.files.emplace(runtime_id(), source(dice, 1));
    tree.sdk.folders.assign(k_include_folders.begin(), k_include_folders.end());
    // An include directory that is there, with something in it.
    tree.unrelated.emplace(std::string(k_include_folders[1]) + "/unrelated.h", 0);
    return tree;
}

}  // namespace scene_kernels::volume
