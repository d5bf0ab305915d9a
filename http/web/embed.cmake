# Writes files into a C++ file, as bytes: cmake -DOUT=FILE -DFILES="A;B" -DHEADER=geo/x.hpp -DSPACE=geo -P embed.cmake. The header declares
# EmbeddedBytes and embedded_bytes() in that namespace. The assembler reads the files (.incbin), so that the compiler need not.
set(code "#include \"${HEADER}\"\n\n")
string(REPLACE "::" "_" symbol "${SPACE}_file")
set(table "")
set(number 0)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(SHA256 ${file} hash)  # so that a compiler cache sees a change
  string(APPEND code "// ${hash}\n__asm__(\".section .rodata\\n\"\n        \".global ${symbol}_${number}\\n${symbol}_${number}:\\n\"\n"
                     "        \".incbin \\\"${file}\\\"\\n\"\n        \".global ${symbol}_${number}_end\\n${symbol}_${number}_end:\\n.byte 0\\n\"\n        \".text\\n\");\n"
                     "extern \"C\" const char ${symbol}_${number}[], ${symbol}_${number}_end[];\n")
  string(APPEND table "      {\"${name}\", ${symbol}_${number}, static_cast<std::size_t>(${symbol}_${number}_end - ${symbol}_${number})},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND code "\nconst ${SPACE}::EmbeddedBytes* ${SPACE}::embedded_bytes() {\n  static const EmbeddedBytes kFiles[] = {\n${table}"
                   "      {nullptr, nullptr, 0}};\n  return kFiles;\n}\n")
file(WRITE ${OUT} "${code}")
