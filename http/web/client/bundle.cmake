# Makes what browsers load of TypeScript, three.js and Leaflet, by esbuild:
#   cmake -DESBUILD=PROGRAM -DNPM=FOLDER -DOUT=FOLDER -P bundle.cmake
# OUT gets seite.js, modell.js, karte.js, karte.css and lizenzen.txt. NPM has the packages that http/packaging/npm.txt names.
cmake_minimum_required(VERSION 3.23)
set(here ${CMAKE_CURRENT_LIST_DIR})
file(MAKE_DIRECTORY ${OUT})

function(esbuild)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${NPM} ${ESBUILD} --bundle --minify --target=es2020 --charset=utf8
                          --log-level=warning ${ARGN}
                  WORKING_DIRECTORY ${here} RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "esbuild failed")
  endif()
endfunction()

# The name under which the program serves it (embedded_files.cpp, public_name_of).
function(public_address file variable)
  file(SHA256 ${file} hash)
  string(SUBSTRING ${hash} 0 12 hash)
  get_filename_component(stem ${file} NAME_WE)
  get_filename_component(ending ${file} LAST_EXT)
  set(${variable} "\"/datei/${stem}.${hash}${ending}\"" PARENT_SCOPE)
endfunction()

# Leaflet's pictures are of its layer switch and its pins, which we don't use.
file(READ ${NPM}/leaflet/dist/leaflet.css style)
string(REGEX REPLACE "[a-z-]+: *url\\([^)]*\\);" "" style "${style}")
file(READ ${here}/karte.css own)
file(WRITE ${OUT}/karte.full.css "${style}\n${own}")
esbuild(${OUT}/karte.full.css --outfile=${OUT}/karte.css)
file(REMOVE ${OUT}/karte.full.css)

public_address(${here}/leer.png empty_picture)
public_address(${OUT}/karte.css map_style)

set(script --format=esm --legal-comments=eof)
esbuild(modell.ts ${script} --outfile=${OUT}/modell.js)
esbuild(karte.ts ${script} --outfile=${OUT}/karte.js --define:EMPTY_PICTURE=${empty_picture})
public_address(${OUT}/modell.js model_script)
public_address(${OUT}/karte.js map_script)
# It loads the others by their addresses, so that its own changes with them.
esbuild(seite.ts ${script} --outfile=${OUT}/seite.js --external:/datei/* --define:MODEL_SCRIPT=${model_script}
        --define:MAP_SCRIPT=${map_script} --define:MAP_STYLE=${map_style})

# Both licences ask for their text beside the program.
set(licences "# Was Browser laden\n")
foreach(package three leaflet)
  file(READ ${NPM}/${package}/package.json about)
  string(JSON version GET "${about}" version)
  file(READ ${NPM}/${package}/LICENSE text)
  string(APPEND licences "\n## ${package} ${version}\n\n${text}\n")
endforeach()
file(WRITE ${OUT}/lizenzen.txt "${licences}")
