// The packer program, compiled against the project's own SDK: its output, its layout file, and what it refuses.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "callable.h"
#include "os/process.h"

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

// A folder that goes away with the test, and the packer running in it.
class Workshop {
public:
    Workshop() {
        std::string pattern = (fs::temp_directory_path() / "scene-pack-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        m_directory = pattern;
    }
    ~Workshop() {
        std::error_code ignored;
        fs::remove_all(m_directory, ignored);
    }
    Workshop(const Workshop &) = delete;
    Workshop &operator=(const Workshop &) = delete;

    void write(const std::string &name, const std::string &text) const {
        std::ofstream(m_directory / name, std::ios::binary) << text;
    }
    std::string read(const std::string &name) const {
        std::ostringstream text;
        text << std::ifstream(m_directory / name, std::ios::binary).rdbuf();
        return text.str();
    }
    bool exists(const std::string &name) const { return fs::exists(m_directory / name); }
    const fs::path &directory() const { return m_directory; }

    // The exit status; what was written to standard error is kept.
    int run(std::vector<std::string> args) {
        scene_kernels::ProcessSpec spec;
        spec.argv = {SCENE_PACKER};
        spec.argv.insert(spec.argv.end(), args.begin(), args.end());
        spec.directory = m_directory.string();
        spec.inherit_environment = true;
        const auto result = scene_kernels::real_processes().run(spec);
        REQUIRE(result.has_value());
        m_error = result->error_output;
        return result->exit_status;
    }
    int pack(const std::string &spec) {
        write("spec", spec);
        return run({"spec", "out", "layout"});
    }
    const std::string &error() const { return m_error; }

private:
    fs::path m_directory;
    std::string m_error;
};

std::string as_text(const Bytes &bytes) {
    return {bytes.begin(), bytes.end()};
}

const std::string k_start = "scene-kernels-pack 1\nfunction build\nconfig \nsignature in,out\nlibrary lib.so\n";

TEST_CASE("a packed callable has the bytes that make_callable gives") {
    Workshop shop;
    const std::string library(1003, 'L');
    shop.write("lib.so", library);
    shop.write("a b.bin", "first");
    shop.write("second.bin", std::string("\0\1\2", 3));
    REQUIRE(shop.pack("scene-kernels-pack 1\nfunction build_it\nconfig set_up\nsignature in,inout,out,scalar\n"
                      "library lib.so\nchild 5 in,out a b.bin\nchild 0 - second.bin\n") == 0);
    CHECK(shop.error().empty());

    const ArgDirection chip[] = {ArgDirection::IN, ArgDirection::INOUT, ArgDirection::OUT, ArgDirection::SCALAR};
    const ArgDirection core[] = {ArgDirection::IN, ArgDirection::OUT};
    const std::vector<Bytes> children = {make_callable<CORE_MAX_TENSOR_ARGS>(core, 2, "first", 5),
                                         make_callable<CORE_MAX_TENSOR_ARGS>(nullptr, 0, "\0\1\2", 3)};
    const std::int32_t ids[] = {5, 0};
    const Bytes expected = make_callable<CoreCallable, CHIP_MAX_TENSOR_ARGS, CALLABLE_MAX_CHILDREN>(
        chip, 4, "build_it", library.data(), 1003, ids, children.data(), 2, "set_up");
    CHECK(shop.read("out") == as_text(expected));
    // 9376 bytes of header; 1003 + 21 bytes of padding; 192 + 5 + 59 bytes for the first child.
    CHECK(shop.read("layout") ==
          "size 10851\nbinary 9376 1003\nchild 5 10400 197 10592 5 10536\nchild 0 10656 195 10848 3 10792\n");
}

TEST_CASE("the address offset is where a loader writes") {
    Workshop shop;
    shop.write("lib.so", "L");
    shop.write("k", "K");
    REQUIRE(shop.pack(k_start + "child 3 in k\n") == 0);
    std::string image = shop.read("out");
    std::istringstream layout(shop.read("layout"));
    std::string word;
    std::uint64_t number[6] = {};
    layout >> word >> word >> word >> word >> word >> word;  // up to "child"
    REQUIRE(word == "child");
    for (std::uint64_t &value : number) {
        layout >> value;
    }
    const std::uint64_t address = 0x1122334455667788U;
    std::memcpy(image.data() + number[5], &address, sizeof address);
    const Bytes bytes(image.begin(), image.end());
    CHECK(reinterpret_cast<const ChipCallable *>(bytes.data())->child(0).resolved_addr() == address);
}

TEST_CASE("the smallest callable and the largest numbers") {
    Workshop shop;
    shop.write("lib.so", "");
    shop.write("k", "K");
    CHECK(shop.pack("scene-kernels-pack 1\nfunction f\nconfig \nsignature \nlibrary lib.so\n") == 0);
    CHECK(shop.read("layout") == "size 9376\nbinary 9376 0\n");
    std::string spec = k_start;
    for (int i = 0; i < CALLABLE_MAX_CHILDREN; ++i) {
        spec += "child " + std::to_string(2147483647 - i) + " - k\n";
    }
    CHECK(shop.pack(spec) == 0);
    CHECK(shop.pack(spec + "child 1 - k\n") == 1);
    CHECK(shop.error() == "packer: spec, line 1030: more than 1024 children\n");
    CHECK(!shop.exists("out"));
}

TEST_CASE("the sample is the same every time and describes the structs") {
    Workshop shop;
    REQUIRE(shop.run({"--sample", "one"}) == 0);
    REQUIRE(shop.run({"--sample", "two"}) == 0);
    const std::string sample = shop.read("one");
    CHECK(sample == shop.read("two"));
    const Bytes bytes(sample.begin(), sample.end());
    const auto &chip = *reinterpret_cast<const ChipCallable *>(bytes.data());
    CHECK(chip.sig_count() == CHIP_MAX_TENSOR_ARGS);
    CHECK(chip.child_count() == 4);
    CHECK(chip.func_name_len() == 63);
    CHECK(chip.config_name_len() == 63);
    CHECK(chip.child(3).sig_count() == CORE_MAX_TENSOR_ARGS);
    const std::string text =
        "chip size 9376 align 16 signature 256 children 1024\ncore size 144 align 8 signature 32 code 192\n"
        "name 64 align 64 16\ndirection size 4\n";
    REQUIRE(sample.size() > text.size());
    CHECK(sample.substr(sample.size() - text.size()) == text);
}

TEST_CASE("a bad spec is refused with its line") {
    struct Row {
        std::string spec;
        std::string error;
    };
    const std::string name_64(64, 'x');
    std::string long_signature = "in";
    for (int i = 0; i < 32; ++i) {
        long_signature += ",in";
    }
    const Row rows[] = {
        {"", "line 1: `scene-kernels-pack` is missing"},
        {"scene-kernels-pack 2\n", "line 1: this packer reads version 1 alone"},
        {"scene-kernels-pack 1", "line 1: the line does not end"},
        {"scene-kernels-pack 1\r\n", "line 1: this packer reads version 1 alone"},
        {"scene-kernels-pack 1\nconfig \n", "line 2: expected `function ...`"},
        {"scene-kernels-pack 1\nfunction \n", "line 2: the function has no name"},
        {"scene-kernels-pack 1\nfunction " + name_64 + "\n",
         "line 2: a function name of 64 bytes, at most 63 are possible"},
        {"scene-kernels-pack 1\nfunction f" + std::string(1, '\0') + "g\n", "line 2: a zero byte"},
        {"scene-kernels-pack 1\nfunction f\nconfig " + name_64 + "\n",
         "line 3: a config name of 64 bytes, at most 63 are possible"},
        {"scene-kernels-pack 1\nfunction f\nconfig \nsignature in,In\n",
         "line 4: unknown direction \"In\" (valid: scalar, in, out, inout)"},
        {"scene-kernels-pack 1\nfunction f\nconfig \nsignature in,\n",
         "line 4: unknown direction \"\" (valid: scalar, in, out, inout)"},
        {"scene-kernels-pack 1\nfunction f\nconfig \nsignature in\n", "line 5: `library` is missing"},
        {k_start + "\n", "line 6: expected `child ...`"},
        {k_start + "child 1 in\n", "line 6: expected `child FUNC_ID DIRECTION,...|- PATH`"},
        {k_start + "child 1 in \n", "line 6: expected `child FUNC_ID DIRECTION,...|- PATH`"},
        {k_start + "child 1  k\n", "line 6: a child without arguments has `-` as signature"},
        {k_start + "child -1 in k\n", "line 6: \"-1\" is no func_id"},
        {k_start + "child 2147483648 in k\n", "line 6: func_id 2147483648 is too large"},
        {k_start + "child 99999999999999999999 in k\n", "line 6: \"99999999999999999999\" is no func_id"},
        {k_start + "child 1 in k\nchild 1 in k\n", "line 7: func_id 1 is there twice"},
        {k_start + "child 1 " + long_signature + " k\n",
         "line 6: a signature with 33 entries, at most 32 are possible"},
    };
    Workshop shop;
    shop.write("lib.so", "L");
    shop.write("k", "K");
    shop.write("out", "old");
    for (const Row &row : rows) {
        CHECK(shop.pack(row.spec) == 1);
        CHECK(shop.error() == "packer: spec, " + row.error + "\n");
        CHECK(!shop.exists("out"));
        CHECK(!shop.exists("layout"));
    }
}

TEST_CASE("files that cannot be read or written, and sizes that do not fit") {
    Workshop shop;
    CHECK(shop.run({"spec", "out", "layout"}) == 1);
    CHECK(shop.error() == "packer: cannot read spec: No such file or directory\n");
    CHECK(shop.pack(k_start) == 1);
    CHECK(shop.error() == "packer: cannot read lib.so: No such file or directory\n");
    shop.write("lib.so", "L");
    fs::create_directory(shop.directory() / "folder");
    CHECK(shop.pack(k_start + "child 1 - folder\n") == 1);
    CHECK(shop.error() == "packer: cannot read folder: not a regular file\n");
    shop.write("spec", k_start);
    CHECK(shop.run({"spec", "none/out", "layout"}) == 1);
    CHECK(shop.error() == "packer: cannot write none/out\n");
    CHECK(shop.run({"spec", "out", "none/layout"}) == 1);
    CHECK(shop.error() == "packer: cannot write none/layout\n");
    CHECK(!shop.exists("out"));
    CHECK(shop.run({}) == 1);
    CHECK(shop.error() == "usage: packer SPEC OUT LAYOUT | packer --sample OUT\n");

    // Sparse files: 5 GiB that nobody has to read.
    shop.write("huge", "");
    fs::resize_file(shop.directory() / "huge", std::uintmax_t{5} << 30U);
    CHECK(shop.pack(k_start + "child 1 - huge\n") == 1);
    CHECK(shop.error() == "packer: huge is too large: 5368709120 bytes, and 4294967294 are left for it\n");
    CHECK(!shop.exists("out"));
}

}  // namespace
