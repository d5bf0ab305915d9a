// A GLB file as three.js' objects. GLTFLoader reads pictures inside the file through blob: addresses, which the pages' policy
// refuses (security_headers.cpp), and then leaves them out without a word. So they are decoded here, without an address.
import { LinearFilter, LinearMipmapLinearFilter, Object3D, Texture } from "three";
import { GLTFLoader, GLTFLoaderPlugin, GLTFParser } from "three/addons/loaders/GLTFLoader.js";

const FINEST = 8;  // of the aerial image, which is mostly seen at a slant

interface GltfJson {
  textures: { source: number }[];
  images: { bufferView: number; mimeType: string }[];
}

class PicturesInside implements GLTFLoaderPlugin {
  readonly name = "roof_pictures_inside";
  constructor(private readonly parser: GLTFParser) {}

  async loadTexture(index: number): Promise<Texture> {
    const json = this.parser.json as GltfJson;
    const image = json.images[json.textures[index].source];
    const bytes = (await this.parser.getDependency("bufferView", image.bufferView)) as ArrayBuffer;
    const bitmap = await createImageBitmap(new Blob([bytes], { type: image.mimeType }), { colorSpaceConversion: "none" });
    const texture = new Texture(bitmap);
    texture.flipY = false;
    texture.magFilter = LinearFilter;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.anisotropy = FINEST;
    texture.needsUpdate = true;
    this.parser.associations.set(texture, { textures: index });
    return texture;
  }
}

/** Throws when the file cannot be had or read. */
export async function readModel(address: string): Promise<Object3D> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const loader = new GLTFLoader().register((parser) => new PicturesInside(parser));
  return (await loader.parseAsync(await answer.arrayBuffer(), "")).scene;
}
