// embed.mjs OUT.cpp NAMESPACE NAME=FILE ...: each file becomes a std::string_view NAME in a C++ source.
// String literals keep the compiler fast; they are cut where a piece would get long.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const [out, namespace, ...assets] = process.argv.slice(2);
const pieceLength = 16000;

function literal(bytes) {
  const pieces = [];
  for (let from = 0; from < bytes.length || pieces.length === 0; from += pieceLength) {
    let piece = "";
    for (const byte of bytes.subarray(from, from + pieceLength)) {
      const char = String.fromCharCode(byte);
      if (char === "\n") piece += "\\n";
      else if (char === '"' || char === "\\" || char === "?") piece += "\\" + char;
      else if (byte < 0x20 || byte > 0x7e) piece += "\\" + byte.toString(8).padStart(3, "0");
      else piece += char;
    }
    pieces.push(`    "${piece}"`);
  }
  return pieces.join("\n");
}

const sources = assets.map((asset) => {
  const [name, file] = asset.split(/=(.*)/s);
  const bytes = readFileSync(file);
  return `extern const std::string_view ${name};\nconst std::string_view ${name}{\n${literal(bytes)},\n    ${bytes.length}};\n`;
});
const text = `// Made from web/ by web/scripts/embed.mjs.\n#include <string_view>\n\nnamespace ${namespace} {\n\n${sources.join("\n")}\n}  // namespace ${namespace}\n`;
writeFileSync(`${out}.part`, text);
renameSync(`${out}.part`, out);
