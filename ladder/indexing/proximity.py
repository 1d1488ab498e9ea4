"""In which spots of a note its terms stand (see format.SPOTS), worked out when an index is built."""

import numpy as np
import numpy.typing as npt

from ladder.index.format import SPOT_PARAGRAPHS, SPOTS
from ladder.indexing.hash_table import U16, U32, Places


def spots_of(places: U32, in_paragraph: npt.NDArray[np.uint8], begins: Places) -> U16:
    """The spots of each group of places, one bit each; `begins` says where each group begins, none is empty.

    `in_paragraph` is 1 where a place is a paragraph of its note, 0 where it is a heading, which is in no spot.
    """
    if not len(begins):
        return np.zeros(0, np.uint16)
    bits = in_paragraph.astype(np.uint16) << (places // SPOT_PARAGRAPHS % SPOTS).astype(np.uint16)
    return np.bitwise_or.reduceat(bits, begins)
