#!/usr/bin/env python3
"""What getting official heights costs: `roofd geodata add` from an office on loopback, beside `curl --parallel` of the
same files and, after it, gdal_translate of the same tiles, on as many cores as roofd has. Prints a table of figures and
targets and writes acquire.json.
usage: acquire.py BINARIES OUT [TILES] [--short]
BINARIES: the folder of roofd; TILES: of a square kilometre with cells of 1 m, 40 unless stated; --short: four of them in
one round, no figures to trust"""
import functools
import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

AT_ONCE = 2                      # connections, as most offices allow
CORES = min(2, len(os.sched_getaffinity(0)))
EAST_KM, NORTH_KM, COLUMNS = 350, 5690, 10
TARGET = 0.8
CREATION = ["-co", "TILED=YES", "-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=3", "-co", "BLOCKXSIZE=256", "-co",
            "BLOCKYSIZE=256"]


class Office(http.server.SimpleHTTPRequestHandler):
    """A folder's listing and its files; connections stay open."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Office, directory=folder))
    server.daemon_threads = True
    print(server.server_port, flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
    server.serve_forever()


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def timed(work):
    began = time.monotonic()
    work()
    return time.monotonic() - began


class Form:
    """How an office packs its tiles: what lies in each ZIP."""

    def __init__(self, name, recipe_form, ending, options):
        self.name, self.recipe_form, self.ending, self.options = name, recipe_form, ending, options


FORMS = [Form("XYZ text in ZIPs", "xyz", ".xyz", ["-of", "XYZ", "-co", "DECIMAL_PRECISION=2"]),
         Form("GeoTIFF in strips in ZIPs", "geotiff", ".tif", ["-co", "COMPRESS=LZW"])]


class Acquisition:
    def __init__(self, binaries, out, tiles, short):
        self.roofd, self.out = f"{binaries}/roofd", out
        self.tiles, self.rounds = (4, 1) if short else (tiles, 3)
        self.folder = tempfile.mkdtemp(prefix="roof_acquire_")

    def squares(self):
        return [(EAST_KM + i % COLUMNS, NORTH_KM + i // COLUMNS) for i in range(self.tiles)]

    def make_files(self, form, dsm):
        """One square's heights, put at each square in turn."""
        office = f"{self.folder}/office/{form.recipe_form}"
        os.makedirs(office)
        for east, north in self.squares():
            name = f"dom1_{east}_{north}"
            made = f"{self.folder}/{name}{form.ending}"
            corners = [str(1000 * km) for km in (east, north + 1, east + 1, north)]
            run("gdal_translate", "-q", "-a_srs", "EPSG:25832", "-outsize", "1000", "1000", "-r", "bilinear", "-a_ullr",
                *corners, *form.options, dsm, made)
            with zipfile.ZipFile(f"{office}/{name}.zip", "w", zipfile.ZIP_DEFLATED) as packed:
                packed.write(made, name + form.ending)
            os.remove(made)
        return office

    def write_recipe(self, data, form, url):
        os.makedirs(f"{data}/recipes")
        west, south, east, north = 6.7, 51.2, 7.2, 51.6
        recipe = {"id": "bench", "title": "Loopback", "provider": "P", "licence": "L", "licence_url": "https://l",
                  "notice": "made up", "crs": "EPSG:25832", "heights": "DHHN2016", "connections": AT_ONCE,
                  "outline": [[west, south], [east, south], [east, north], [west, north]],
                  "sources": [{"kind": "dsm", "title": "DOM1", "cell_m": 1, "tile": {"size": 1000, "unit": 1000},
                               "file_mb": 5, "form": form.recipe_form, "zipped": True,
                               "find": {"method": "listing", "urls": [url], "names": ["dom1_{E}_{N}.zip"]}}]}
        with open(f"{data}/recipes/bench.json", "w") as out:
            json.dump(recipe, out)

    def by_roofd(self, form, url):
        data = f"{self.folder}/roofd"
        shutil.rmtree(data, ignore_errors=True)
        self.write_recipe(data, form, url)
        seconds = timed(lambda: run(self.roofd, "geodata", "add", "bench", f"--geodata={data}/geodata.json"))
        made = [f"{data}/tiles/bench-dsm/{name}" for name in os.listdir(f"{data}/tiles/bench-dsm")]
        return seconds, made

    def by_curl(self, url):
        fetched = f"{self.folder}/curl"
        shutil.rmtree(fetched, ignore_errors=True)
        os.makedirs(fetched)
        with open(f"{self.folder}/urls", "w") as urls:
            for east, north in self.squares():
                name = f"dom1_{east}_{north}.zip"
                urls.write(f"url = {url}{name}\noutput = {fetched}/{name}\n")
        return timed(lambda: run("curl", "-sf", "--parallel", "--parallel-max", str(AT_ONCE), "-K",
                                 f"{self.folder}/urls"))

    def by_gdal(self, form):
        """A process for each tile, so many at a time as there are cores. Text is unpacked first: GDAL reads it twice."""
        fetched, made = f"{self.folder}/curl", f"{self.folder}/gdal"
        shutil.rmtree(made, ignore_errors=True)
        os.makedirs(made)
        options = " ".join(["-q", "-a_srs", "EPSG:25832", "-ot", "Float32", *CREATION])
        script = (f'unzip -q -o "{fetched}/$0.zip" -d {made} && gdal_translate {options} "{made}/$0{form.ending}" '
                  f'"{made}/$0.made.tif" && rm "{made}/$0{form.ending}"')
        names = "\n".join(f"dom1_{east}_{north}" for east, north in self.squares())
        seconds = timed(lambda: run("xargs", "-P", str(CORES), "-n", "1", "sh", "-c", script, input=names))
        return seconds, [f"{made}/{name}" for name in os.listdir(made)]

    def sum_of(self, path):
        bands = json.loads(run("gdalinfo", "-json", "-checksum", path))["bands"]
        return [band["checksum"] for band in bands]

    def compare_tiles(self, ours, theirs):
        """Both must have made the same of the same files, or the times mean nothing."""
        if not len(ours) == len(theirs) == self.tiles:
            raise RuntimeError(f"{len(ours)} tiles by roofd, {len(theirs)} by gdal_translate, {self.tiles} are offered")
        if self.sum_of(min(ours)) != self.sum_of(min(theirs)):
            raise RuntimeError(f"{min(ours)} and {min(theirs)} have other heights")

    def one_round(self, form, url, ours_first):
        figures = {}

        def ours():
            figures["roofd_s"], figures["ours"] = self.by_roofd(form, url)

        def theirs():
            figures["curl_s"] = self.by_curl(url)
            figures["gdal_s"], figures["theirs"] = self.by_gdal(form)

        for work in (ours, theirs) if ours_first else (theirs, ours):
            work()
        self.compare_tiles(figures.pop("ours"), figures.pop("theirs"))
        figures["ratio"] = (figures["curl_s"] + figures["gdal_s"]) / figures["roofd_s"]
        return figures

    def measure(self, form, dsm):
        office = self.make_files(form, dsm)
        size_mb = sum(os.path.getsize(f"{office}/{name}") for name in os.listdir(office)) / 1e6
        with subprocess.Popen([sys.executable, os.path.abspath(__file__), "--serve", office], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as server:
            url = f"http://127.0.0.1:{int(server.stdout.readline())}/"
            rounds = [self.one_round(form, url, i % 2 == 0) for i in range(self.rounds)]
            server.stdin.close()
            server.wait(20)
        middle = {name: statistics.median(r[name] for r in rounds) for name in rounds[0]}
        ratios = [r["ratio"] for r in rounds]
        met = middle["ratio"] >= TARGET
        print(f"  {form.name:<28} {self.tiles:>5} {size_mb:>7.1f} {middle['curl_s']:>8.2f} {middle['gdal_s']:>8.2f} "
              f"{middle['roofd_s']:>8.2f}   {middle['ratio']:.2f} ({min(ratios):.2f} to {max(ratios):.2f})   "
              f"{'met' if met else 'MISSED'}", flush=True)
        return {"form": form.name, "tiles": self.tiles, "mb": size_mb, "rounds": rounds, **middle}

    def main(self):
        try:
            region = run(self.roofd, "sample-region", f"--out={self.folder}/region", "--addresses=40").strip()
            dsm = f"{os.path.dirname(region)}/dsm.tif"
            print(f"  {AT_ONCE} connections, {CORES} cores; the target: at least {TARGET} of curl's and gdal_translate's time "
                  "together\n"
                  f"  {'':<28} {'tiles':>5} {'MB':>7} {'curl s':>8} {'gdal s':>8} {'roofd s':>8}   ratio (rounds)", flush=True)
            results = [self.measure(form, dsm) for form in FORMS]
        finally:
            shutil.rmtree(self.folder)
        with open(f"{self.out}/acquire.json", "w") as out:
            json.dump({"load_average": os.getloadavg(), "connections": AT_ONCE, "cores": CORES, "forms": results}, out,
                      indent=1)


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--short"]
    if arguments[:1] == ["--serve"]:
        serve(arguments[1])
        sys.exit()
    if len(arguments) not in (2, 3) or (len(arguments) == 3 and not arguments[2].isdigit()):
        sys.exit(__doc__)
    os.makedirs(arguments[1], exist_ok=True)
    Acquisition(arguments[0], arguments[1], int(arguments[2]) if len(arguments) == 3 else 40, "--short" in sys.argv).main()
