#include "geo/drawing/glb_file.hpp"

#include <tiny_gltf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <sstream>

#include "geo/drawing/picture_metadata.hpp"

namespace geo {
namespace {

constexpr int kNoTarget = 0;

tinygltf::Value value_of(const GlbExtras& extras) {
  tinygltf::Value::Object object;
  for (const GlbExtra& extra : extras)
    object[extra.name] = extra.number ? tinygltf::Value(*extra.number) : tinygltf::Value(extra.text);
  return tinygltf::Value(object);
}

}  // namespace

GlbFile::GlbFile(const std::string& copyright, const GlbExtras& about)
    : model_(std::make_unique<tinygltf::Model>()) {
  model_->asset.version = "2.0";
  model_->asset.generator = kPictureCreator;
  model_->asset.copyright = copyright;
  model_->asset.extras = value_of(about);
  model_->buffers.emplace_back();
  model_->scenes.emplace_back();
  model_->defaultScene = 0;
}

GlbFile::~GlbFile() = default;

int GlbFile::add_view(const void* data, std::size_t size, int target) {
  std::vector<unsigned char>& buffer = model_->buffers[0].data;
  buffer.resize((buffer.size() + 3) / 4 * 4);  // every view begins at a multiple of four
  tinygltf::BufferView view;
  view.buffer = 0;
  view.byteOffset = buffer.size();
  view.byteLength = size;
  view.target = target;
  const auto* bytes = static_cast<const unsigned char*>(data);
  buffer.insert(buffer.end(), bytes, bytes + size);
  model_->bufferViews.push_back(view);
  return static_cast<int>(model_->bufferViews.size()) - 1;
}

void GlbFile::set_image(std::string_view jpeg) {
  tinygltf::Image image;
  image.name = "Luftbild";
  image.mimeType = "image/jpeg";
  image.bufferView = add_view(jpeg.data(), jpeg.size(), kNoTarget);
  model_->images.push_back(image);
  tinygltf::Sampler sampler;
  sampler.minFilter = TINYGLTF_TEXTURE_FILTER_LINEAR_MIPMAP_LINEAR;
  sampler.magFilter = TINYGLTF_TEXTURE_FILTER_LINEAR;
  sampler.wrapS = sampler.wrapT = TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE;
  model_->samplers.push_back(sampler);
  tinygltf::Texture texture;
  texture.source = texture.sampler = 0;
  model_->textures.push_back(texture);
}

int GlbFile::add_material(const GlbMaterial& wanted) {
  tinygltf::Material material;
  material.name = wanted.name;
  auto& surface = material.pbrMetallicRoughness;
  surface.baseColorFactor.assign(wanted.colour.begin(), wanted.colour.end());
  surface.roughnessFactor = wanted.roughness;
  surface.metallicFactor = wanted.metal;
  if (wanted.textured) surface.baseColorTexture.index = 0;
  if (wanted.colour[3] < 1) material.alphaMode = "BLEND";
  model_->materials.push_back(material);
  return static_cast<int>(model_->materials.size()) - 1;
}

template <class Vector>
int GlbFile::add_accessor(const std::vector<Vector>& values, int type, bool with_range) {
  static_assert(sizeof(Vector) == sizeof(float) * Vector::SizeAtCompileTime, "vectors lie side by side");
  tinygltf::Accessor accessor;
  accessor.bufferView = add_view(values.data(), values.size() * sizeof(Vector), TINYGLTF_TARGET_ARRAY_BUFFER);
  accessor.componentType = TINYGLTF_COMPONENT_TYPE_FLOAT;
  accessor.type = type;
  accessor.count = values.size();
  if (with_range) {
    Vector low = values.front(), high = values.front();
    for (const Vector& value : values) {
      low = low.cwiseMin(value);
      high = high.cwiseMax(value);
    }
    accessor.minValues.assign(low.data(), low.data() + low.size());
    accessor.maxValues.assign(high.data(), high.data() + high.size());
  }
  model_->accessors.push_back(accessor);
  return static_cast<int>(model_->accessors.size()) - 1;
}

int GlbFile::add_indices(const std::vector<std::uint32_t>& indices) {
  const std::uint32_t largest = *std::max_element(indices.begin(), indices.end());
  tinygltf::Accessor accessor;
  accessor.count = indices.size();
  accessor.type = TINYGLTF_TYPE_SCALAR;
  if (largest < std::numeric_limits<std::uint16_t>::max()) {
    const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
    accessor.bufferView =
        add_view(narrow.data(), narrow.size() * sizeof(std::uint16_t), TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
  } else {
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
    accessor.bufferView = add_view(indices.data(), indices.size() * sizeof(std::uint32_t),
                                   TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
  }
  model_->accessors.push_back(accessor);
  return static_cast<int>(model_->accessors.size()) - 1;
}

int GlbFile::add_node(const std::string& name, std::optional<int> parent, const std::vector<GlbPart>& parts,
                      const GlbExtras& extras) {
  tinygltf::Mesh mesh;
  mesh.name = name;
  for (const GlbPart& part : parts) {
    if (part.mesh.empty()) continue;
    tinygltf::Primitive primitive;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.material = part.material;
    primitive.attributes["POSITION"] = add_accessor(part.mesh.positions, TINYGLTF_TYPE_VEC3, true);
    primitive.attributes["NORMAL"] = add_accessor(part.mesh.normals, TINYGLTF_TYPE_VEC3, false);
    if (model_->materials[static_cast<std::size_t>(part.material)]
            .pbrMetallicRoughness.baseColorTexture.index >= 0)
      primitive.attributes["TEXCOORD_0"] = add_accessor(part.mesh.texture, TINYGLTF_TYPE_VEC2, false);
    primitive.indices = add_indices(part.mesh.triangles);
    mesh.primitives.push_back(primitive);
  }
  tinygltf::Node node;
  node.name = name;
  if (!extras.empty()) node.extras = value_of(extras);
  if (!mesh.primitives.empty()) {
    node.mesh = static_cast<int>(model_->meshes.size());
    model_->meshes.push_back(mesh);
  }
  const int index = static_cast<int>(model_->nodes.size());
  model_->nodes.push_back(node);
  (parent ? model_->nodes[static_cast<std::size_t>(*parent)].children : model_->scenes[0].nodes)
      .push_back(index);
  return index;
}

Result<std::string> GlbFile::bytes() const {
  std::ostringstream out;
  tinygltf::TinyGLTF writer;
  if (!writer.WriteGltfSceneToStream(model_.get(), out, false, true))
    return fail(FailureKind::internal, "the 3D model cannot be written");
  return out.str();
}

}  // namespace geo
