"""Walks the description as a stranger would: asks every operation for what it describes and for what it does not, and holds each
answer against it. Hypothesis makes the requests, jsonschema holds the bodies. usage: walk.py PORT KEY ADDRESSES.csv"""

import csv
import http.client
import json
import re
import sys
import urllib.parse

import jsonschema
from hypothesis import HealthCheck, given, settings, strategies as st

PREFIX = "/api/v1"
# Of any answer; what a page in a browser gets besides is no part of the interface.
EVERYWHERE = {"date", "connection", "content-type", "content-length", "content-language", "content-security-policy",
              "cache-control", "referrer-policy", "vary", "x-content-type-options"}
OTHER_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE", "QUERY", "get")

port, key, addresses = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
with open(addresses) as rows:
    known = [f"{r['strasse']} {r['hausnummer']}, {r['plz']} {r['ort']}" for r in csv.DictReader(rows)]


def ask(method, path, body=None, headers=None):
    connection.request(method, PREFIX + path, body, headers or {})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


DESCRIPTION = json.loads(ask("GET", "/openapi.json")[2])
NO_BODY = object()  # null is one
faults = {}


def fault(operation, what, *shown):
    faults.setdefault((operation, what), shown)


def resolved(node):
    while "$ref" in node:
        found = DESCRIPTION
        for part in node["$ref"][2:].split("/"):
            found = found[part]
        node = found
    return node


def whole(schema):
    """With everything that it refers to, for jsonschema."""
    return {**schema, "components": DESCRIPTION["components"]}


def fits(schema, value):
    return jsonschema.Draft202012Validator(whole(schema)).is_valid(value)


def hold(name, operation, asked, answer):
    """One answer against what is described for its status."""
    status, headers, body = answer
    described = operation["responses"].get(str(status))
    if described is None:
        return fault(name, f"the status {status} is not described", asked, body[:300])
    if status >= 500:
        fault(name, f"the status {status}", asked, body[:300])
    described = resolved(described)
    kind = (headers.get("content-type") or "").split(";")[0]
    contents = described.get("content", {})
    if contents and kind not in contents:
        fault(name, f"{status} of the type {kind}", asked)
    elif contents and kind.endswith("json"):
        validator = jsonschema.Draft202012Validator(whole(contents[kind]["schema"]))
        for error in validator.iter_errors(json.loads(body)):
            fault(name, f"{status}: {error.message[:120]}", asked)
    of_this = {header.lower(): resolved(node) for header, node in described.get("headers", {}).items()}
    for header, node in of_this.items():
        if node["required"] and header not in headers:
            fault(name, f"{status} without {header}", asked)
        if node["schema"]["type"] == "integer" and not re.fullmatch(r"\d+", headers.get(header, "0")):
            fault(name, f"{status}: {header} is {headers[header]}", asked)
    for header in headers:
        if header.lower() not in EVERYWHERE | set(of_this):
            fault(name, f"{status} has {header}, which is not described", asked)


texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=220)
values = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
                      lambda part: st.lists(part, max_size=3) | st.dictionaries(texts, part, max_size=3), max_leaves=6)


def described_by(schema, name=""):
    """Values that a schema describes."""
    schema = resolved(schema)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "object":
        required = {field: described_by(node, field) for field, node in schema["properties"].items()}
        optional = {field: required.pop(field) for field in list(required) if field not in schema["required"]}
        return st.fixed_dictionaries(required, optional=optional)
    if schema["type"] == "string":
        any_text = st.from_regex(schema["pattern"]) if "pattern" in schema else texts
        any_text = any_text.filter(lambda text: len(text) <= schema.get("maxLength", 220))
        return st.sampled_from(known) | any_text if name == "adresse" else any_text
    low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
    if schema["type"] == "number":
        return st.floats(low, high, exclude_min="exclusiveMinimum" in schema)
    # The first numbers are those that there are.
    return st.integers(low, high) | st.integers(low, min(low + 50, high or low + 50))


def query_of(parameters):
    return "?" + urllib.parse.urlencode(parameters) if parameters else ""


def broken_bodies(schema):
    """What is no such body at all, and a body with one field gone or changed."""
    fields = st.sampled_from(sorted(resolved(schema)["properties"]))
    gone = st.tuples(described_by(schema), fields).map(lambda t: {k: v for k, v in t[0].items() if k != t[1]})
    changed = st.tuples(described_by(schema), fields, values).map(lambda t: {**t[0], t[1]: t[2]})
    return st.one_of(values, gone, changed).filter(lambda body: not fits(schema, body))


def in_a_query(schema, text):
    """A parameter's text as the value that its schema is about."""
    if schema["type"] not in ("integer", "number"):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) and schema["type"] == "integer" else value


def walk(path, method, operation):
    name = operation["operationId"]
    parameters = [resolved(node) for node in operation["parameters"]]
    in_path = [node for node in parameters if node["in"] == "path"]
    in_query = [node for node in parameters if node["in"] == "query" and node["name"] != "schluessel"]
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    places = st.fixed_dictionaries({node["name"]: described_by(node["schema"]) for node in in_path})
    queries = st.fixed_dictionaries(
        {node["name"]: described_by(node["schema"], node["name"]) for node in in_query if node["required"]},
        optional={node["name"]: described_by(node["schema"], node["name"]) for node in in_query if not node["required"]})

    def send(place, query, body, headers):
        target = re.sub(r"{(\w+)}", lambda found: str(place[found[1]]), path) + query_of(query)
        content = None if body is NO_BODY else json.dumps(body)
        answer = ask(method, target, content, {**headers, **({"Content-Type": "application/json"} if content else {})})
        asked = f"{method} {target} {content or ''}"
        hold(name, operation, asked, answer)
        code = json.loads(answer[2])["fehler"]["code"] if answer[0] >= 400 else ""
        return answer[0], code, asked

    def examples(test):
        settings(max_examples=50, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))(test)()

    @examples
    @given(places, queries, described_by(schema) if schema else st.just(NO_BODY))
    def _(place, query, body):
        status, code, asked = send(place, query, body, {"X-API-Key": key})
        if status in (400, 401, 415) or code == "pfad_unbekannt":
            fault(name, f"what is described is refused: {code}", asked)

    if in_query:
        @examples
        @given(places, queries, st.sampled_from(in_query), values)
        def _(place, query, node, value):
            text = value if isinstance(value, str) else json.dumps(value)
            # An optional text that is empty says as much as none.
            if fits(node["schema"], in_a_query(node["schema"], text)) or (text == "" and not node["required"]):
                return
            if node["name"] == "verbrauch":  # another name, which is not looked at
                return
            status, _, asked = send(place, {**query, node["name"]: text}, NO_BODY, {"X-API-Key": key})
            if status < 400:
                fault(name, f"{node['name']} is taken against its description", asked)

    if schema:
        @examples
        @given(broken_bodies(schema))
        def _(body):
            status, _, asked = send({"projekt_id": 1}, {}, body, {"X-API-Key": key})
            if status != 400:
                fault(name, f"a body against its description: {status}", asked)

    place = {node["name"]: 1 for node in in_path}
    query = {"adresse": known[0], "jahresverbrauch_kwh": 4500} if name == "analyseEinAufruf" else {}
    wanted = 401 if operation["security"] else 200
    for headers, more in (({}, {}), ({"X-API-Key": "dach_falsch"}, {}), ({"X-API-Key": ""}, {}), ({}, {"schluessel": "x"})):
        status, _, asked = send(place, {**query, **more}, {} if schema else NO_BODY, headers)
        if status != wanted:
            fault(name, f"without a valid key: {status}", asked)


def try_other_methods(path, described):
    for method in OTHER_METHODS:
        if method.lower() in described and method != method.lower() or method == "HEAD" and "get" in described:
            continue
        status, headers, body = ask(method, re.sub(r"{\w+}", "1", path), None, {"X-API-Key": key})
        if status != 405 or not headers.get("allow"):
            fault(path, f"{method}: {status}", headers.get("allow"))
        if body and not fits({"$ref": "#/components/schemas/Fehler"}, json.loads(body)):
            fault(path, f"{method}: the body of {status}", body[:300])


for path, operations in DESCRIPTION["paths"].items():
    for method, operation in operations.items():
        walk(path, method.upper(), operation)
    try_other_methods(path, operations)
for (operation, what), shown in faults.items():
    print(f"{operation}: {what}\n    " + "\n    ".join(str(part)[:600] for part in shown))
print(f"walk: {len(faults)} faults")
sys.exit(1 if faults else 0)
