// A glTF 2.0 file in its binary form (GLB), put together from meshes; tinygltf writes it. Names and extras
// are for people and programs that open the file.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/drawing/model_mesh.hpp"
#include "geo/failure.hpp"

namespace tinygltf {
class Model;
}

namespace geo {

struct GlbMaterial {
  std::string name;
  std::array<double, 4> colour{1, 1, 1, 1};  ///< linear red, green, blue, opacity
  double roughness = 0.9;
  double metal = 0;
  bool textured = false;  ///< with the file's one image
};

/// A figure or a text about a node.
struct GlbExtra {
  std::string name;
  std::optional<double> number;
  std::string text;  ///< when there is no number
};
using GlbExtras = std::vector<GlbExtra>;

/// What a mesh is made of: triangles of one material each.
struct GlbPart {
  Mesh mesh;
  int material = 0;
};

class GlbFile {
 public:
  GlbFile(const std::string& copyright, const GlbExtras& about);
  ~GlbFile();
  GlbFile(const GlbFile&) = delete;
  GlbFile& operator=(const GlbFile&) = delete;

  void set_image(std::string_view jpeg);  ///< before the materials that use it
  int add_material(const GlbMaterial& material);
  /// A node below `parent` (none: in the scene itself); parts without triangles are left out.
  int add_node(const std::string& name, std::optional<int> parent, const std::vector<GlbPart>& parts,
               const GlbExtras& extras);
  Result<std::string> bytes() const;

 private:
  int add_view(const void* data, std::size_t size, int target);
  template <class Vector>
  int add_accessor(const std::vector<Vector>& values, int type, bool with_range);
  int add_indices(const std::vector<std::uint32_t>& indices);

  std::unique_ptr<tinygltf::Model> model_;
};

}  // namespace geo
