"""Plots as SVG, with nothing but text: lines, and a surface as a table of coloured cells."""
from xml.sax.saxutils import escape

COLOURS = ("#1b6ca8", "#c8553d", "#4f772d", "#7b2d8b")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 70, 40, 20, 50


def lines_svg(path, title, xs, series):
    """`series`: name -> a value for each of `xs`. The x axis has one place for each x, the y axis begins at 0."""
    top = max(max(values) for values in series.values()) * 1.1 or 1
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    place = [LEFT + inner_width * i / max(1, len(xs) - 1) for i in range(len(xs))]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
             f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
             f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>']
    for i in range(5):
        y = TOP + inner_height * (1 - i / 4)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * i / 4:,.3g}</text>')
    for x, value in zip(place, xs):
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value}</text>')
    for number, (name, values) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(f"{x:.1f},{TOP + inner_height * (1 - v / top):.1f}" for x, v in zip(place, values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{LEFT + 130 * number}" y="{HEIGHT - 10}" fill="{colour}">{escape(name)}</text>')
    with open(path, "w") as out:
        out.write("".join(parts) + "</svg>\n")


def surface_svg(path, title, names, values, cells):
    """`cells[i][j]`: the value at values[0][i] (rows) and values[1][j] (columns); the darker the more."""
    width, height, left, top = 90, 40, 150, 80
    low, high = min(map(min, cells)), max(map(max, cells))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width * len(values[1]) + 20}" '
             f'height="{top + height * len(values[0]) + 20}" font-family="sans-serif" font-size="12">'
             f'<rect width="100%" height="100%" fill="white"/><text x="10" y="20" font-size="14">{escape(title)}</text>'
             f'<text x="{left}" y="46">{escape(names[1])}</text><text x="10" y="{top - 10}">{escape(names[0])}</text>']
    for j, value in enumerate(values[1]):
        parts.append(f'<text x="{left + width * (j + 0.5)}" y="{top - 10}" text-anchor="middle">{value}</text>')
    for i, value in enumerate(values[0]):
        y = top + height * i
        parts.append(f'<text x="{left - 10}" y="{y + 25}" text-anchor="end">{value}</text>')
        for j, cell in enumerate(cells[i]):
            share = (cell - low) / (high - low) if high > low else 1
            ink = "white" if share > 0.6 else "black"
            parts.append(f'<rect x="{left + width * j}" y="{y}" width="{width}" height="{height}" fill="#1b6ca8" '
                         f'fill-opacity="{0.1 + 0.9 * share:.2f}" stroke="white"/><text x="{left + width * (j + 0.5)}" '
                         f'y="{y + 25}" text-anchor="middle" fill="{ink}">{cell:,.0f}</text>')
    with open(path, "w") as out:
        out.write("".join(parts) + "</svg>\n")
