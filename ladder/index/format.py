"""The index file's one definition: its parts, their order, how a part is checked; readers and builder share it.

    header   64 bytes: magic, version, byte order mark, file size, place of the meta block, checksum
    block    payload + checksum, beginning at a multiple of 8; every other part is a block:
      notes    for each note a row (marshal: NOTE_FIELDS) and a forward block (see FORWARD)
      lists    postings of terms that stand in more than INLINE notes and labels; behind each, its spots
      buckets  the vocabulary by term_hash(term) % number of buckets (see BUCKET_HEAD; the checksum comes first)
      pages    where notes lie, when they changed, the terms of their names (see PAGE_NOTES)
      tables   where buckets begin; all terms; names; what the files looked like (size, mtime, inode, hash)
      meta     marshal: counts, mean lengths, settings, where the tables are

All numbers have the machine's own byte order; a file of the other order is rebuilt. When a checksum or a size is wrong,
a reader raises IndexBroken and the index is made anew: it holds nothing that the notes do not.
"""

from _imp import source_hash
from marshal import dumps, loads

MAGIC = b"ladderix"
VERSION = 7
BYTE_ORDER = 0x01020304
HEADER_SIZE = 64
#: Offsets in the vocabulary are in units of this many bytes.
UNIT = 8
#: Bytes of a checksum.
SEAL = 8
#: Of checksums and of the terms' hashes.
HASH_KEY = 0x6C6164646572

#: BM25, Lucene's form: idf * tf / (tf + K1 * (1 - B + B * length / mean length)); Robertson and Zaragoza 2009.
K1 = 1.5
B = 0.75
#: The second factor is in (0, 1) and is kept in 16 bits.
SCALE = 65535

#: Where in a note a term stands, roughly: of 15 spots, one bit each, paragraph p is in spot p // 2 % 15. Words that
#: stand together share one; in a note of more than 30 paragraphs a spot is several places, shared also by chance.
SPOTS = 15
SPOT_PARAGRAPHS = 2

#: Postings of a term that at most this many notes and labels together hold lie beside the term itself.
INLINE = 4
#: A term that more than 1 in this many notes holds is kept as a dense row: one impact a note.
DENSE = 12
#: Terms a bucket of the vocabulary holds on average.
BUCKET_TERMS = 24
#: A vocabulary entry: postings' place (in UNITs, or index into the bucket's inline lists), then how many notes,
#: labels and paragraphs hold the term.
ENTRY_FIELDS = 4
#: A bucket: its checksum, 32 bits each for how many terms and how many inline postings, then of each term the full
#: 64 bits of its hash, of each term its entry, of the inline postings note numbers, impacts, spots; zeros up to a UNIT.
#: Two words share a hash in about one of a hundred million vocabularies; they would count as one word.
BUCKET_HEAD = SEAL + 8
#: Notes in a page. It holds of each note (offset, row length, forward length), 64 bits each; idf (64 bits) and then
#: hash (32 bits) of each term of their names; of each note when it changed (s since 1970, 32 bits) and, of 16 bits,
#: where its name's terms begin; and last where they end.
PAGE_NOTES = 32

#: The fields of a note's row.
NOTE_FIELDS = (
    "path",
    "name",
    "title",
    "cost",
    "head_cost",
    "changed",
    "sections",
    "description",
    "aliases",
    "estimated",
)

#: A forward block begins with 8 numbers (u32): paragraphs, sections, terms, pairs, label terms, bytes of the text part,
#: a flag (1 = columns of type "?" take 32 bits, else 16), 0. Then, one after the other, come columns as FORWARD names
#: them, and the text part (marshal: section titles, slugs, paths; entry slugs). Terms are term_hashes: a block means
#: the same in any index; two terms of one sum are taken for one within a note.
FORWARD_HEAD = 8
#: What `counted` may be, in the order of the head and what follows from it.
FORWARD_COUNTS = ("p", "s", "t", "t1", "n", "l")
FORWARD = (
    # name, type, counted by ("p" paragraphs, "s" sections, "t" terms, "t1" terms + 1, "n" pairs, "l" label terms)
    # These four, which every question needs, come first: the reader knows where they are without counting.
    ("terms", "I", "t"), ("at", "?", "t1"), ("pairs", "?", "n"), ("tf", "B", "n"),
    ("p_length", "I", "p"), ("p_section", "H", "p"), ("p_cost", "I", "p"), ("p_date", "I", "p"),
    ("p_start", "I", "p"), ("p_end", "I", "p"), ("p_entry", "H", "p"), ("p_zone", "B", "p"),
    ("s_start", "I", "s"), ("s_end", "I", "s"), ("s_cost", "I", "s"), ("s_date", "I", "s"),
    ("s_zone", "B", "s"), ("s_level", "B", "s"), ("label_terms", "I", "l"), ("label_tf", "H", "l"),
)  # fmt: skip
#: Bytes an item of each type takes; the builder and the reader refuse a machine where that is not so.
ITEM_SIZE = {"B": 1, "H": 2, "I": 4, "Q": 8}
#: Bytes for each of FORWARD_COUNTS in columns of fixed type.
FORWARD_BYTES = [
    sum([ITEM_SIZE[kind] for _, kind, counted in FORWARD if counted == each and kind != "?"]) for each in FORWARD_COUNTS
]
ZONES = ("head", "body", "history")
#: `p_entry` of a paragraph that belongs to no dated entry.
NO_ENTRY = 0xFFFF


class IndexBroken(Exception):  # noqa: N818 (it says what is the matter with the file)
    """The index file is missing, half written, damaged, or of another version: make it anew."""


def checksum(data: bytes | memoryview, at: int = 0) -> bytes:
    """SEAL bytes that tell whether `data` is whole, and where it belongs: a block begins at byte `at` of the file.

    Without the place, a whole block that lies over another one of its size would be believed.

    The interpreter's own keyed hash (SipHash-1-3, with which it checks compiled modules): zlib, which is a file of its
    own in many Pythons, takes a thirtieth of the hook's time to load.
    """
    return source_hash(HASH_KEY ^ at, data)


def term_hash(term: str) -> int:
    """32 bits that stand for a term."""
    return int.from_bytes(source_hash(HASH_KEY, term.encode("utf-8", "replace"))[:4], "little")


def seal(payload: bytes, at: int) -> bytes:
    """A block that begins at byte `at`: the payload, its checksum, and zeros up to the next multiple of UNIT."""
    return payload + checksum(payload, at) + bytes(-(len(payload) + SEAL) % UNIT)


def unseal(block: bytes, at: int) -> bytes:
    """The payload of a block that was read from byte `at` with its checksum (and without the zeros after it)."""
    payload = block[:-SEAL]
    if len(block) < SEAL or checksum(payload, at) != block[-SEAL:]:
        raise IndexBroken("a block's checksum is wrong")
    return payload


def pack_header(file_size: int, meta_offset: int, meta_length: int) -> bytes:
    """The first HEADER_SIZE bytes of the file."""
    fields = (VERSION, BYTE_ORDER, file_size, meta_offset, meta_length)
    body = MAGIC + b"".join(field.to_bytes(8, "little") for field in fields)
    body += bytes(HEADER_SIZE - SEAL - len(body))
    return body + checksum(body)


def unpack_header(data: bytes, real_size: int) -> tuple[int, int]:
    """Offset and length of the meta block; IndexBroken when the file cannot be read by this version."""
    if len(data) != HEADER_SIZE or data[:8] != MAGIC:
        raise IndexBroken("this is no index file")
    if checksum(data[:-SEAL]) != data[-SEAL:]:
        raise IndexBroken("the header's checksum is wrong")
    version, order, size, offset, length = memoryview(data)[8:48].cast("Q").tolist()
    if order != BYTE_ORDER:
        raise IndexBroken("the index was written on a machine of another byte order")
    if version != VERSION:
        raise IndexBroken(f"the index is of version {version}, this is version {VERSION}")
    if size != real_size:
        raise IndexBroken(f"the index is {real_size} bytes long and should be {size}")
    return offset, length


def pack_values(value: object) -> bytes:
    """Plain values (None, numbers, text, bytes, tuples, lists, dicts) as bytes, the same for all supported Pythons."""
    return dumps(value, 4)  # type: ignore[arg-type]


def unpack_values(data: bytes) -> object:
    """The values that `pack_values` packed; IndexBroken when they are none."""
    try:
        return loads(data)  # noqa: S302 (the block's checksum was right, and the file is the user's own)
    except (EOFError, ValueError, TypeError) as error:
        raise IndexBroken("a block holds no values") from error
