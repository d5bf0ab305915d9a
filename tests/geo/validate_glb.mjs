// Checks a GLB by the Khronos glTF validator's rules: `node validate.mjs FILE`. Prints the findings as JSON; the exit
// status is 1 when there is an error among them, 2 when the file cannot be read at all.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// `./roof` puts it there (http/packaging/npm.txt).
const validator = createRequire(import.meta.url)("../../build/npm/gltf-validator");

try {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(process.argv[2])));
  console.log(JSON.stringify(report.issues, null, 1));
  process.exit(report.issues.numErrors > 0 ? 1 : 0);
} catch (error) {
  console.error(String(error));
  process.exit(2);
}
