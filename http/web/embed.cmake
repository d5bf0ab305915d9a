# Writes files into a C++ file, as bytes: cmake -DOUT=FILE -DFILES="A;B" -P embed.cmake. The assembler reads them (.incbin), so that
# the compiler need not.
set(code "#include \"http/web/embedded_bytes.hpp\"\n\n")
set(table "")
set(number 0)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(SHA256 ${file} hash)  # so that a compiler cache sees a change
  string(APPEND code "// ${hash}\n__asm__(\".section .rodata\\n\"\n        \".global roof_file_${number}\\nroof_file_${number}:\\n\"\n"
                     "        \".incbin \\\"${file}\\\"\\n\"\n        \".global roof_file_${number}_end\\nroof_file_${number}_end:\\n.byte 0\\n\"\n        \".text\\n\");\n"
                     "extern \"C\" const char roof_file_${number}[], roof_file_${number}_end[];\n")
  string(APPEND table "      {\"${name}\", roof_file_${number}, static_cast<std::size_t>(roof_file_${number}_end - roof_file_${number})},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND code "\nconst http::EmbeddedBytes* http::embedded_bytes() {\n  static const EmbeddedBytes kFiles[] = {\n${table}"
                   "      {nullptr, nullptr, 0}};\n  return kFiles;\n}\n")
file(WRITE ${OUT} "${code}")
