"""Who may do what in the ceremony, with analyses and with releases."""

from tests.scrub_site.crawl.route_lines import AWAY, BAD, FORBIDDEN, MISSING, OK, Route, route


def researchers(name: str, method: str = "GET", of: str = "", *, gets: str) -> Route:
    return route(name, method, of, researcher=gets, members=FORBIDDEN, others=MISSING)


ANALYSIS = (
    researchers("close_study", of="judging", gets=OK),
    researchers("close_study", of="closed", gets=AWAY),
    researchers("close_study", "POST", of="judging", gets=AWAY),
    researchers("request_unblinding", "POST", of="closed", gets=AWAY),
    researchers("decide_unblinding", "POST", of="unblinding request", gets=AWAY),
    researchers("results", of="judging", gets=AWAY),
    researchers("results", of="closed", gets=OK),  # sources are masked there
    researchers("results", of="finished", gets=OK),
    researchers("compute_results", "POST", of="finished", gets=BAD),
    researchers("compute_results", "POST", of="judging", gets=AWAY),
    researchers("run_list", of="judging", gets=OK),  # where nothing can have been computed
    researchers("run_list", of="closed", gets=OK),
    researchers("run_list", of="finished", gets=OK),
    researchers("compare_runs", of="closed", gets=OK),
    researchers("compare_runs", of="finished", gets=OK),
    researchers("comparison_csv", of="finished", gets=MISSING),  # no two runs are named
    researchers("run_again", "POST", of="analysis", gets=AWAY),
    researchers("run_again", "POST", of="unknown analysis", gets=MISSING),
    researchers("run_file", of="file of a masked analysis", gets=OK),
    researchers("run_file", of="file of an analysis", gets=OK),
    researchers("run_file", of="unknown file", gets=MISSING),
    researchers("run_archive", of="masked analysis", gets=OK),
    researchers("run_archive", of="analysis", gets=OK),
    researchers("run_archive", of="unknown analysis", gets=MISSING),
    researchers("request_unblinding", "POST", of="judging", gets=FORBIDDEN),  # too early
    researchers("judgments_csv", of="closed", gets=FORBIDDEN),  # still blinded
    researchers("study_record", of="closed", gets=OK),
    *(route("public_study", of=study, anonymous=OK, others=OK) for study in ("writing", "judging", "finished")),
    route("public_study", of="design", anonymous=MISSING, others=MISSING),
    route("public_design", of="judging", anonymous=MISSING, others=MISSING),
    route("public_design", of="finished", anonymous=OK, others=OK),
    route("public_release", of="public release", anonymous=MISSING, others=MISSING),  # of another number
    researchers("releases", of="closed", gets=OK),
    researchers("releases", of="finished", gets=OK),
    researchers("prepare_release", "POST", of="finished", gets=BAD),
    researchers("release", of="release", gets=OK),
    researchers("release_archive", of="release", gets=OK),
    researchers("publish_release", "POST", of="release", gets=AWAY),
    researchers("judgments_csv", of="finished", gets=OK),
)

RATING_FILES = (
    route("rating_files", researcher=OK, administrator=OK, others=FORBIDDEN),
    route("rating_files", "POST", researcher=BAD, administrator=BAD, others=FORBIDDEN),
    route("rating_file", of="file of ratings", researcher=OK, others=MISSING),
    route("rating_file", of="analysed file of ratings", researcher=OK, others=MISSING),
    route("rating_file", "POST", of="file of ratings", researcher=BAD, others=MISSING),
    route("rating_file_result", of="result of a file of ratings", researcher=OK, others=MISSING),
    route("rating_file_archive", of="analysed file of ratings", researcher=OK, others=MISSING),
    route("rating_file_remove", "POST", of="other file of ratings", researcher=AWAY, others=MISSING),
)
