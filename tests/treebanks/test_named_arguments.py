"""Arguments in messages are spelled as the user of a call writes them."""

from threading import Thread

from crossbank.treebanks.named_arguments import ArgumentSpelling, argument, spelled, transformed
from crossbank.treebanks.ranges import begun


def test_an_argument_is_spelled_as_its_user_writes_it() -> None:
    scheme, changed = argument("scheme", "tiger"), transformed("delete_roots")
    assert (str(scheme), str(changed)) == ('scheme="tiger"', 'crossbank.transform(bank, ["delete_roots"])')
    with spelled(ArgumentSpelling("typed", {"--scheme tiger": "--by tiger"})):
        assert str(scheme) == "--by tiger"
        with spelled(ArgumentSpelling("in_study")):
            assert str(scheme) == "scheme: tiger"
        assert str(changed) == "crossbank convert FILE NEW --transform delete_roots"
    assert str(scheme) == 'scheme="tiger"'


def test_a_spelling_is_that_of_its_thread_and_of_the_work_that_it_begins() -> None:
    spellings = []
    with spelled(ArgumentSpelling("typed")):
        assert begun(lambda: str(argument("strict")))() == "--strict"
        other = Thread(target=lambda: spellings.append(str(argument("strict"))))
        other.start()
        other.join()
    assert spellings == ["strict="]
