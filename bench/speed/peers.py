"""The programs whose speed is compared: each is Python source that a fresh process runs, with its arguments.

What each may use is written in its first lines; all get the notes as files and answer with the names of five notes.
Fair: the same notes, the same questions, each peer with its defaults (BM25, k1 1.2 or 1.5, b 0.75), page cache warm.
"""

#: Arguments of all builders: folder of notes, where to write. Of all askers: what was written, the question.
BM25S_BUILD = """
import sys, time, pathlib, bm25s
t = time.perf_counter(); c = time.process_time()
files = sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
texts = [f.read_text(encoding="utf-8") for f in files]
tokens = bm25s.tokenize(texts, show_progress=False)
model = bm25s.BM25(method="lucene")
model.index(tokens, show_progress=False)
model.save(sys.argv[2])
print(time.perf_counter() - t, time.process_time() - c)
"""
#: The same with the words that ladder cuts: names in parts, stems. What the words cost is the difference.
BM25S_OUR_WORDS = """
import sys, time, pathlib, bm25s
from ladder.text.tokenizer import byte_terms
t = time.perf_counter(); c = time.process_time()
numbers = {}
ids = [[numbers.setdefault(term, len(numbers)) for term in byte_terms(f.read_bytes())]
       for f in sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))]
model = bm25s.BM25(method="lucene")
model.index((ids, numbers), show_progress=False)
model.save(sys.argv[2])
print(time.perf_counter() - t, time.process_time() - c)
"""
BM25S_ASK = """
import sys, bm25s
model = bm25s.BM25.load(sys.argv[1])
found, scores = model.retrieve(bm25s.tokenize([sys.argv[2]], show_progress=False), k=5, show_progress=False)
print(*found[0])
"""
FTS5_BUILD = """
import sys, time, pathlib, sqlite3
t = time.perf_counter(); c = time.process_time()
base = pathlib.Path(sys.argv[1])
db = sqlite3.connect(sys.argv[2])
db.execute("create virtual table notes using fts5(text, content='', tokenize='porter unicode61')")
files = sorted(base.rglob("*.md"))
rows = ((i, f.read_text(encoding="utf-8")) for i, f in enumerate(files))
db.executemany("insert into notes(rowid, text) values (?, ?)", rows)
db.execute("insert into notes(notes) values ('optimize')")
db.commit()
print(time.perf_counter() - t, time.process_time() - c)
"""
#: Runs on a bare interpreter: `_sqlite3` without the package round it.
FTS5_ASK = """
import sys, _sqlite3
words = "".join(c if c.isalnum() else " " for c in sys.argv[2]).split()
db = _sqlite3.connect(sys.argv[1])
query = " OR ".join(f'"{w}"' for w in words)
rows = db.execute("select rowid from notes where notes match ? order by bm25(notes) limit 5", (query,))
print(*[row[0] for row in rows])
"""
TANTIVY_BUILD = """
import sys, time, pathlib, os, tantivy
t = time.perf_counter(); c = time.process_time()
schema = tantivy.SchemaBuilder().add_text_field("text", stored=False, tokenizer_name="en_stem")
schema = schema.add_integer_field("id", stored=True).build()
os.makedirs(sys.argv[2])
index = tantivy.Index(schema, path=sys.argv[2])
writer = index.writer(256_000_000, 1)
for i, f in enumerate(sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))):
    writer.add_document(tantivy.Document(text=f.read_text(encoding="utf-8"), id=i))
writer.commit()
writer.wait_merging_threads()
print(time.perf_counter() - t, time.process_time() - c)
"""
#: Runs on a bare interpreter with one folder added to its path (the third argument).
TANTIVY_ASK = """
import sys
sys.path.append(sys.argv[3])
import tantivy
index = tantivy.Index.open(sys.argv[1])
searcher = index.searcher()
words = "".join(c if c.isalnum() else " " for c in sys.argv[2])
found = searcher.search(index.parse_query(words.lower(), ["text"]), 5).hits
print(*[searcher.doc(address)["id"][0] for _, address in found])
"""
#: Arguments: notes, where to write, where counts are kept, processes. Prints wall and processor seconds of the whole,
#: and those of parsing and of counting tokens, so that what is left is what bm25s does, and the passages besides.
LADDER_BUILD = """
import sys, time, pathlib
import ladder.indexing.prepare as forward
from ladder.indexing.pipeline import build_index
from ladder.indexing.token_counts import Costs
from ladder.indexing.update import surroundings_of
from notes import find_notes, folder_settings

def timed(work, spent):
    def inner(*args, **named):
        c = time.process_time()
        try:
            found = work(*args, **named)
            if hasattr(found, "paragraphs"):
                found.paragraphs
            return found
        finally:
            spent[0] += time.process_time() - c
    return inner

def main():
    parsing, counting = [0.0], [0.0]
    forward.parse = timed(forward.parse, parsing)
    forward.count_many = timed(forward.count_many, counting)
    t = time.perf_counter(); c = time.process_time()
    settings = folder_settings(pathlib.Path(sys.argv[1]))
    files = find_notes(settings)
    build_index(files, pathlib.Path(sys.argv[2]), root=settings.root, costs=Costs(pathlib.Path(sys.argv[3])),
                processes=int(sys.argv[4]), surroundings=surroundings_of(settings))
    print(time.perf_counter() - t, time.process_time() - c, parsing[0], counting[0])

if __name__ == "__main__":
    main()
"""
#: What the hook asks of the index: look at files, cut the question, score notes and labels, read 40 notes' passages.
LADDER_ASK = """
import sys
from ladder.index.scoring import best
from ladder.index.overlay import FreshIndex
from ladder.text.tokenizer import terms
index = FreshIndex(sys.argv[1])
if sys.argv[3] == "scan":
    index.scan()
weights = dict.fromkeys(terms(sys.argv[2]), 1.0)
scores = [a + b for a, b in zip(index.score_notes(weights), index.score_labels(weights))]
found = best(scores, 40)
for n in found:
    passages = index.passages(n)
    for term in weights:
        passages.counts(term)
print(*found[:5])
"""
#: Runs LADDER_ASK from one compiled file, as the hook's bundle does; light_os and FIRST stand before this.
PROBE_START = """
import gc
gc.disable()
if sys.platform != "win32":
    light_os()
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in modules:
            from _frozen_importlib import ModuleSpec
            return ModuleSpec(name, Finder)
    @staticmethod
    def create_module(spec):
        return None
    @staticmethod
    def exec_module(module):
        exec(modules[module.__name__], module.__dict__)
sys.meta_path.insert(0, Finder)
package = sys.modules["ladder"] = type(sys)("ladder")
package.__path__ = []
for name in FIRST:
    module = sys.modules[name] = type(sys)(name)
    exec(modules[name], module.__dict__)
exec(ask, {})
"""
