"""Without a vocabulary the estimate is within a third of what cl100k_base counts, for texts of every kind."""
# ruff: noqa: E501, RUF001 (texts as they are)

import base64
import hashlib
import json

import pytest

from ladder.indexing.rough_count import rough_count
from ladder.indexing.token_counts import count, estimated

_DIGESTS = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(40)]
_CODE = '''def find(name: str) -> list[int]:
    """The notes of that name."""
    key = fold_name(name)
    if not key or "\\0" in key:
        return []
    for border, end in ((b"\\0", wanted), (b"/", wanted.lstrip(b"/"))):
        if found := [n for n in bearers(names, border + end) if self.alive(n)]:
            return found
    return sorted({each.start: each for each in rows}.values(), key=lambda e: (-e.count, e.path))
'''
TEXTS = {
    "prose": "The canary aborted because the health check timed out; the release was taken back by hand within the hour. ",
    "ids": "\n".join(f"{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:32]}" for d in _DIGESTS),
    "hashes": "\n".join(_DIGESTS),
    "base64": base64.b64encode(b"".join(bytes.fromhex(d) for d in _DIGESTS)).decode(),
    "figures": "\n".join(f"| {int(d[:5], 16)} | {int(d[5:9], 16) / 100} | {n}% | 2026-09-{n % 28 + 1:02} |" for n, d in enumerate(_DIGESTS)),
    "code": _CODE,
    "json": json.dumps([{"id": n, "name": f"item-{n}", "price": n / 7, "tags": ["a", "b"], "ok": True} for n in range(20)]),
    "indented json": json.dumps([{"id": n, "path": f"/srv/data/{n}.bin", "ok": None} for n in range(20)], indent=2),
    "paths": "\n".join(f"/srv/{w}/releases/{n}/current/config_{w}.yaml" for n, w in enumerate(["deploy", "queue"] * 9)),
    "emoji": "🔥🚀✅😀🎉👍🏽👩‍💻🇩🇪⚠️❤️ 🐛🧪📦🗑️ ",
    "Amharic": "ሰላም ለሁሉም። ዛሬ ጠዋት ስብሰባው በሰዓቱ ተጀመረ እና ሁሉም ተገኝተዋል። ",
    "Burmese": "မင်္ဂလာပါ။ ယနေ့ အစည်းအဝေးကို အချိန်မီ စတင်ခဲ့ပြီး အားလုံး တက်ရောက်ခဲ့ကြသည်။ ",
    "Chinese": "金丝雀发布因为健康检查超时而中止，发布被手动回滚，队列在一小时内清空。",
    "Japanese": "カナリアリリースはヘルスチェックのタイムアウトで中止され、手動で戻されました。",
    "Korean": "카나리아 배포는 상태 확인 시간 초과로 중단되었고 수동으로 되돌렸습니다. ",
    "Russian": "Канареечный выпуск прерван, потому что проверка состояния не ответила вовремя. ",
    "Greek": "Η δοκιμαστική έκδοση διακόπηκε επειδή ο έλεγχος υγείας δεν απάντησε εγκαίρως. ",
    "Arabic": "توقف الإصدار التجريبي لأن فحص السلامة لم يستجب في الوقت المناسب، وتمت إعادته يدويا. ",
    "Hindi": "कैनरी रिलीज़ रुक गई क्योंकि स्वास्थ्य जाँच समय पर नहीं हुई और उसे हाथ से वापस लिया गया। ",
    "Thai": "การปล่อยแบบคานารีหยุดลงเพราะการตรวจสุขภาพหมดเวลาและถูกย้อนกลับด้วยมือ ",
    "German": "Die Auslieferung wurde abgebrochen, weil die Gesundheitsprüfung zu lange dauerte. ",
}  # fmt: skip


@pytest.mark.parametrize("kind", TEXTS)
def test_an_estimate_is_at_most_a_third_off(kind):
    assert not estimated(), "the vocabulary is what the estimate is held against"
    text = TEXTS[kind] * 3
    assert count(text) * 2 / 3 <= rough_count(text) <= count(text) * 4 / 3


def test_no_text_is_no_token_and_any_is_one():
    assert [rough_count(text) for text in ("", " ", "\n", "a", "\x00")] == [0, 1, 1, 1, 1]
