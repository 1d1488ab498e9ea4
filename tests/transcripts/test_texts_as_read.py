from notes import find_notes, folder_settings
from transcripts import ReadTexts, session_turns, sessions
from transcripts.logs.locate import Locator

PATH = "/home/u/app/docs/deploy.md"


def test_the_text_as_of_a_turn_is_the_last_whole_one_read_before_it(log, project, tmp_path):
    a = log("s1")
    a.user("one")
    a.read(PATH, "# Deploy\n\nFirst state.")
    a.user("two")
    a.read(PATH, "Only a part.", start=3, total=40)
    a.user("three")
    a.read(PATH, "# Deploy\n\nSecond state.")
    a.user("four")
    a.save()
    [session] = sessions(tmp_path / "logs")
    found = list(session_turns(session))
    locator = Locator(find_notes(folder_settings(project)), project, {turn.cwd for turn in found})
    texts = ReadTexts(found, locator)
    assert texts.notes() == ["docs/deploy.md"]
    seen = [texts.before("docs/deploy.md", turn.time) for turn in found]
    assert [text and text.text.split("\n")[2] for text in seen] == [
        None,
        "First state.",
        "First state.",
        "Second state.",
    ]
    assert texts.during("docs/deploy.md", found[2].key).text == "# Deploy\n\nSecond state.\n"
    assert texts.during("docs/deploy.md", found[1].key) is None
    assert texts.before("docs/none.md", "9") is None
