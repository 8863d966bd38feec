from annotation.people.core.countries import countries


def test_all_countries_of_the_standard_are_there_by_full_names_in_the_order_of_the_alphabet() -> None:
    names = countries()
    assert len(names) == len(set(names)) == 249  # ISO 3166-1, by October 2026
    assert not [name for name in names if "&" in name or name.endswith(".")]
    assert names[:3] == ("Afghanistan", "Åland Islands", "Albania")
    assert {"United Kingdom", "South Korea", "Democratic Republic of the Congo", "Côte d’Ivoire"} < set(names)
