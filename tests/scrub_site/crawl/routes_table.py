"""Who may do what: every address of the site, by role, on one's own and on others' objects.

A line says what each actor gets. `of` names the object (see `crawl.World.objects`); the people of the cast are
members of every study that is named, except those in OUTSIDERS. Without an entry of its own an actor gets what
its group gets, then what `others` get; visitors are sent to sign in. A method without a line is refused to all.

A new address needs a line here, or the build fails.
"""

from tests.scrub_site.crawl.route_lines import AWAY, BAD, CONFLICT, FORBIDDEN, MISSING, OK, Route, route
from tests.scrub_site.crawl.routes_analysis import ANALYSIS, RATING_FILES

HOMES = (
    route("home", anonymous=AWAY, others=OK, other_coordinator=AWAY, administrator=AWAY),
    *(
        route("study", of=study, members=OK, others=MISSING)
        for study in ("design", "writing", "judging", "closed", "finished")
    ),
    route("administration", administrator=OK, others=FORBIDDEN),
    route("new_study", others=FORBIDDEN),  # unless the site lets coordinators set studies up
    route("new_study", "POST", others=FORBIDDEN),
    route("administration", "POST", administrator=OK, others=FORBIDDEN),
    route("coordinator_invite", "POST", of="design", administrator=BAD, others=MISSING),
    *(
        route(name, "POST", of="design", administrator=AWAY, others=MISSING)
        for name in ("coordinator_send_again", "coordinator_withdraw", "study_remove")
    ),
)

PEOPLE = (
    route("invitation", of="invitation", anonymous=OK, others=OK),
    route("invitation", "POST", of="invitation", anonymous=OK, others=OK),
    route("invitation", of="unknown invitation", anonymous=MISSING, others=MISSING),
    route("consent", of="writing", members=OK, others=MISSING),
    route("consent", "POST", of="writing", writers=OK, judges=OK, members=FORBIDDEN, others=MISSING),
    route("consent_text", of="writing", members=OK, others=MISSING),
    route("consent_decline", "POST", of="writing", writers=AWAY, judges=AWAY, members=FORBIDDEN, others=MISSING),
    route("consent_withdraw", "POST", of="writing", writers=BAD, judges=BAD, members=FORBIDDEN, others=MISSING),
    route("own_data", of="writing", writers=OK, judges=OK, members=FORBIDDEN, others=MISSING),
    route("own_data_file", of="writing", writers=OK, judges=OK, members=FORBIDDEN, others=MISSING),
    route("profile", of="writing", writers=OK, judges=OK, members=FORBIDDEN, others=MISSING),
    route("profile", "POST", of="writing", writers=OK, judges=OK, members=FORBIDDEN, others=MISSING),
    route("signed_in", others=OK),
    route("person_settings", others=OK),
    route("person_settings", "POST", others=OK),
)


def team(name: str, method: str = "GET", of: str = "", *, gets: str, researcher: str = "") -> Route:
    """For coordinators and researchers."""
    own = {"coordinator": gets, "researcher": researcher or gets}
    return route(name, method, of, **own, members=FORBIDDEN, others=MISSING)


UNBLINDERS = (
    *(team("unblinders", of=study, gets=OK) for study in ("design", "writing", "judging", "closed", "finished")),
    team("unblinder_propose", "POST", of="design", gets=BAD),  # nobody is named
    team("unblinder_accept", "POST", of="proposed office", gets=BAD),  # without an affiliation
    team("unblinder_accept", "POST", of="office of another study", gets=MISSING),
    team("unblinder_decline", "POST", of="proposed office", gets=FORBIDDEN, researcher=AWAY),  # it is theirs
    team("unblinder_withdraw", "POST", of="proposed office", gets=AWAY),
    team("unblinder_leave", "POST", of="office", gets=AWAY),  # without a reason
    team("office_consent", "POST", of="change of an office", gets=FORBIDDEN, researcher=AWAY),
    team("office_consent", "POST", of="change of another study", gets=MISSING),
    team("office_withdraw", "POST", of="change of an office", gets=AWAY),
    team("recovery_name", "POST", of="design", gets=BAD),
    team("recovery_ask", "POST", of="writing", gets=AWAY),  # nothing waits for the third person
    route("recovery", of="recovery", anonymous=OK, others=OK),
    route("recovery", "POST", of="recovery", anonymous=AWAY, others=AWAY),  # nothing is decided
    route("recovery", of="unknown recovery", anonymous=MISSING, others=MISSING),
)

WRITING = (
    route("writing_practice", of="writing", writers=OK, members=FORBIDDEN, others=MISSING),
    route("writing_start", of="assigned answer", writer=OK, others=MISSING),
    route("writing_begin", "POST", of="assigned answer", writer=AWAY, others=MISSING),
    route("writing_room", of="begun answer", writer=OK, others=MISSING),
    route("writing_pen", "POST", of="begun answer", writer=BAD, others=MISSING),
    route("writing_state", of="begun answer", writer=OK, others=MISSING),
    route("writing_save", "POST", of="begun answer", writer=BAD, others=MISSING),
    route("writing_submit", "POST", of="begun answer", writer=AWAY, others=MISSING),
    route("writing_receipt", of="submitted answer", writer=OK, others=MISSING),
    route("writing_flag", of="begun answer", writer=OK, others=MISSING),
    route("writing_flag", "POST", of="begun answer", writer=BAD, others=MISSING),  # nothing is said
    route("prompt_feedback", "POST", of="submitted answer", writer=BAD, others=MISSING),  # not asked for there
    route("process_comment", "POST", of="submitted answer", writer=AWAY, others=MISSING),
    route("study_feedback", "POST", of="writing", members=BAD, others=MISSING),  # answers are not done yet
)

JUDGING = (
    route("judging_item", of="assigned item", judge=OK, others=MISSING),
    route("judging_open", "POST", of="assigned item", judge=AWAY, others=MISSING),
    route("judging_item", of="open item", judge=OK, others=MISSING),
    route("judging_state", of="open item", judge=OK, others=MISSING),
    route("judging_state", of="submitted item", judge=OK, others=MISSING),
    route("judging_save", "POST", of="open item", judge=AWAY, others=MISSING),
    route("judging_save", "POST", of="open item", json='{"fields": {}}', judge=OK, others=MISSING),
    route("judging_submit", "POST", of="open item", judge=CONFLICT, others=MISSING),
    route("judging_receipt", of="submitted item", judge=OK, others=MISSING),
    route("judging_answers", of="submitted item", judge=OK, others=MISSING),
    route("judging_answers", of="open item", judge=AWAY, others=MISSING),
    route("judging_receipt", of="open item", judge=AWAY, others=MISSING),
    route("judging_flag", of="open item", judge=OK, others=MISSING),
    route("judging_flag", "POST", of="open item", judge=BAD, others=MISSING),  # nothing is said
    route("judging_reopen", "POST", of="submitted item", judge=AWAY, others=MISSING),
    route("judging_guesses", of="submitted item", judge=AWAY, others=MISSING),  # others are left to judge
    route("judging_guesses", "POST", of="submitted item", judge=AWAY, others=MISSING),
    route("judging_guesses", of="item to guess about", other_judge=OK, others=MISSING),
    route("judging_guesses", "POST", of="item to guess about", other_judge=BAD, others=MISSING),
)


def coordinators(name: str, method: str = "GET", of: str = "", *, gets: str) -> Route:
    return route(name, method, of, coordinator=gets, members=FORBIDDEN, others=MISSING)


PROMPTS = (
    coordinators("study_prompts", of="design", gets=OK),
    coordinators("study_prompts", of="finished", gets=OK),
    coordinators("add_prompt", "POST", of="design", gets=BAD),
    coordinators("prompts_import", of="design", gets=OK),
    coordinators("prompts_import", of="writing", gets=OK),  # says that prompts are fixed
    coordinators("prompts_import", "POST", of="design", gets=BAD),
    coordinators("prompt_edit", of="prompt in design", gets=OK),
    coordinators("prompt_edit", of="locked prompt", gets=OK),
    coordinators("prompt_edit", of="prompt of another study", gets=MISSING),
    coordinators("prompt_edit", "POST", of="prompt in design", gets=BAD),
    coordinators("prompt_history", of="locked prompt", gets=OK),
    coordinators("prompt_history", of="prompt of another study", gets=MISSING),
    coordinators("prompt_remove", "POST", of="prompt in design", gets=AWAY),
    coordinators("prompt_remove", "POST", of="prompt of another study", gets=MISSING),
    coordinators("benchmarks", of="design", gets=OK),
    coordinators("benchmarks", of="writing", gets=OK),  # says that they are fixed
    coordinators("benchmark_add", of="layout of a benchmark", gets=OK),
    coordinators("benchmark_add", "POST", of="layout of a benchmark", gets=BAD),
    coordinators("benchmark_add", of="unknown layout", gets=MISSING),
    coordinators("benchmark", of="benchmark", gets=OK),
    coordinators("benchmark", of="benchmark of another study", gets=MISSING),
    coordinators("benchmark_story", of="story of a benchmark", gets=OK),
    coordinators("benchmark_story", of="unknown story", gets=MISSING),
    coordinators("benchmark_rules", "POST", of="benchmark", gets=AWAY),
    coordinators("benchmark_rules", "POST", of="benchmark of another study", gets=MISSING),
    coordinators("benchmarks_pass_on", "POST", of="design", gets=AWAY),
    coordinators("open_adjudication", "POST", of="benchmark", gets=AWAY),
    coordinators("open_adjudication", "POST", of="benchmark of another study", gets=MISSING),
    coordinators("freeze_subsets", "POST", of="benchmark", gets=AWAY),
    coordinators("freeze_subsets", "POST", of="benchmark of another study", gets=MISSING),
    route(
        "subset_file",
        of="file of a subset",
        coordinator=MISSING,
        researcher=MISSING,
        members=FORBIDDEN,
        others=MISSING,
    ),
    route(
        "audit_file",
        of="file of an audit",
        coordinator=MISSING,
        researcher=MISSING,
        members=FORBIDDEN,
        others=MISSING,
    ),
    coordinators("benchmark_models", of="benchmark", gets=OK),
    coordinators("benchmark_models", of="benchmark of another study", gets=MISSING),
    coordinators("benchmark_models", "POST", of="benchmark", gets=BAD),  # without a temperature
    coordinators("benchmark_predictions", "POST", of="benchmark", gets=MISSING),  # without saying how
    coordinators("benchmark_rephrasings", "POST", of="benchmark", gets=MISSING),
    coordinators("benchmark_rephrased", "POST", of="benchmark", gets=MISSING),
    coordinators("benchmark_model_marks", "POST", of="benchmark", gets=MISSING),
    coordinators("benchmark_give_out", "POST", of="answers of a benchmark", gets=MISSING),
    coordinators("benchmark_draw", "POST", of="benchmark", gets=AWAY),
    coordinators("benchmark_prediction_file", of="benchmark", gets=OK),
    route("ruling", of="ruling", others=MISSING),
    route("rule", "POST", of="ruling", others=MISSING),
    route("mark", of="mark of an annotator", others=MISSING),
    route("mark_save", "POST", of="mark of an annotator", others=MISSING),
    route("review", of="question of an annotator", others=MISSING),
    route("review_state", of="question of an annotator", others=MISSING),
    route("review_save", "POST", of="question of an annotator", others=MISSING),
    coordinators("benchmark_remove", "POST", of="benchmark", gets=AWAY),
    coordinators("benchmark_remove", "POST", of="benchmark of another study", gets=MISSING),
)

RECRUITING = (
    coordinators("study_people", of="design", gets=OK),
    coordinators("study_people", of="judging", gets=OK),
    coordinators("invite", "POST", of="writing", gets=BAD),
    coordinators("people_import", of="writing", gets=OK),
    coordinators("people_import", "POST", of="writing", gets=BAD),
    coordinators("invitation_withdraw", "POST", of="open invitation", gets=AWAY),
    coordinators("invitation_withdraw", "POST", of="invitation of another study", gets=MISSING),
    coordinators("invitation_resend", "POST", of="open invitation", gets=AWAY),
    coordinators("invitation_resend", "POST", of="invitation of another study", gets=MISSING),
)

COORDINATION = (
    coordinators("lock_design", "POST", of="design", gets=AWAY),
    coordinators("assign_writing", "POST", of="writing", gets=AWAY),
    coordinators("close_writing", "POST", of="writing", gets=AWAY),
    coordinators("resume_writing", "POST", of="writing", gets=AWAY),
    coordinators("open_judging", "POST", of="writing", gets=AWAY),
    coordinators("preflight", of="writing", gets=OK),
    coordinators("preflight", of="judging", gets=OK),
    coordinators("texts", of="writing", gets=OK),
    coordinators("withdraw_clearance", "POST", of="clearance", gets=BAD),  # without a reason
    coordinators("decide_text", "POST", of="quarantined text", gets=BAD),
    coordinators("edit_text", of="quarantined text", gets=OK),
    coordinators("edit_text", "POST", of="quarantined text", gets=OK),
    coordinators("edited_text", of="edited text", gets=OK),
    coordinators("regenerate_text", "POST", of="quarantined text", gets=BAD),
)

WRITING_DESK = (
    coordinators("flags", of="judging", gets=OK),
    coordinators("flag_settle", "POST", of="flag", gets=AWAY),
    coordinators("writing_desk", of="writing", gets=OK),
    coordinators("writing_desk", of="judging", gets=OK),
    coordinators("writing_grant_minutes", "POST", of="writing", gets=BAD),
    coordinators("writing_decide_outage", "POST", of="writing", gets=BAD),
    coordinators("writing_answer", of="begun answer", gets=OK),
    coordinators("writing_answer", of="lapsed answer", gets=OK),
    coordinators("writing_history", of="begun answer", gets=OK),
    coordinators("writing_decide_late", "POST", of="late text", gets=BAD),
    coordinators("writing_pause", "POST", of="begun answer", gets=BAD),
    coordinators("writing_resume", "POST", of="begun answer", gets=BAD),
    coordinators("writing_grant_time", "POST", of="begun answer", gets=BAD),
    coordinators("writing_reopen", "POST", of="submitted answer", gets=BAD),
    coordinators("writing_rewording", of="submitted answer", gets=MISSING),  # nothing was said about its prompt
    coordinators("writing_waive", "POST", of="submitted answer", gets=BAD),
    coordinators("writing_cancel", "POST", of="assigned answer", gets=BAD),
)

MONITORING = (
    coordinators("progress", of="design", gets=OK),
    coordinators("progress", of="writing", gets=OK),
    coordinators("progress", of="judging", gets=OK),
    coordinators("progress", of="finished", gets=OK),
    coordinators("person", of="writer of the study", gets=OK),
    coordinators("person", of="judge of the study", gets=OK),
    coordinators("person", of="nobody of the study", gets=MISSING),
    coordinators("person_limits", "POST", of="writer of the study", gets=AWAY),  # nothing given limits nothing
    coordinators("person_leave", "POST", of="writer of the study", gets=BAD),
    coordinators("person_come_back", "POST", of="writer of the study", gets=BAD),
)

DESIGN = (
    coordinators("study_design", of="design", gets=OK),
    coordinators("study_design", of="finished", gets=OK),
    coordinators("design_section", of="section of the design", gets=OK),
    coordinators("design_section", "POST", of="section of the design", gets=BAD),
    coordinators("design_section", of="unknown section", gets=MISSING),
    coordinators("design_preview", of="design", gets=OK),
    coordinators("design_fill_in", of="preset of the design", gets=OK),
    coordinators("design_fill_in", "POST", of="preset of the design", gets=AWAY),
    coordinators("rubric_preview", of="design", gets=OK),
    coordinators("rubric_choose", "POST", of="design", gets=BAD),
    coordinators("participants_preview", of="design", gets=OK),
    coordinators("participants_preview", "POST", of="design", gets=BAD),
    coordinators("study_clone", "POST", of="design", gets=BAD),
    coordinators("study_show_publicly", "POST", of="design", gets=AWAY),
    *(
        route(name, of="writing", coordinator=OK, researcher=OK, members=FORBIDDEN, others=MISSING)
        for name in ("study_protocol", "design_json")
    ),
    *(
        route(name, "POST", of="writing", coordinator=AWAY, administrator=AWAY, members=FORBIDDEN, others=MISSING)
        for name in ("study_archive", "study_bring_back")
    ),
)

ASSIGNMENT = (
    *(
        route(name, of=study, coordinator=OK, researcher=OK, members=FORBIDDEN, others=MISSING)
        for name in ("certificate", "certificate_json")
        for study in ("writing", "judging", "closed", "finished")
    ),
    route("certificate", of="design", coordinator=OK, researcher=OK, members=FORBIDDEN, others=MISSING),
    route(
        "certificate_json", of="design", members=FORBIDDEN, coordinator=MISSING, researcher=MISSING, others=MISSING
    ),
    coordinators("repair", of="judging", gets=OK),
    coordinators("repair", of="closed", gets=OK),  # which says that it is over
    coordinators("repair_apply", "POST", of="judging", gets=BAD),
)

REMINDERS = (
    coordinators("notifications", of="writing", gets=OK),
    coordinators("notifications", of="finished", gets=OK),
    coordinators("notification", of="mail of a step", gets=OK),
    coordinators("notification", "POST", of="mail of a step", gets=BAD),  # without words
    coordinators("notification", of="mail of no step", gets=MISSING),
    coordinators("reminders", of="writing", gets=OK),
    coordinators("reminders", of="judging", gets=OK),
    coordinators("reminders", of="finished", gets=OK),
    coordinators("reminder_preview", of="writing", gets=AWAY),
    coordinators("reminder_preview", "POST", of="writing", gets=AWAY),  # nobody is chosen
    coordinators("reminder_send", "POST", of="writing", gets=BAD),
    coordinators("reminder_withdraw", "POST", of="waiting reminder", gets=AWAY),
    *(
        route("reminders_stop", method, of=link, anonymous=gets, others=gets)
        for link, gets in (("unknown way out", MISSING), ("way out", OK))
        for method in ("GET", "POST")
    ),
    route("reminders_own", others=OK),
    route("reminders_choose", "POST", of="writing", writers=AWAY, judges=AWAY, members=FORBIDDEN, others=MISSING),
)

HONORARIA = (
    coordinators("honoraria", of="writing", gets=OK),
    coordinators("honoraria", of="finished", gets=OK),
    coordinators("honoraria_csv", of="writing", gets=OK),
    coordinators("payments_add", of="writing", gets=OK),
    coordinators("payments_add", "POST", of="writing", gets=BAD),
    coordinators("payment_add", of="nobody of the study", gets=MISSING),
    coordinators("payment_add", of="writer of the study", gets=OK),
    coordinators("payment_add", "POST", of="writer of the study", gets=BAD),
    coordinators("payment_reverse", "POST", of="payment", gets=BAD),  # without a reason
)

GENERATION = (
    coordinators("study_models", of="writing", gets=OK),
    coordinators("target_add", of="writing", gets=OK),
    coordinators("target_add", "POST", of="writing", gets=BAD),
    coordinators("target_change", of="model of the study", gets=OK),
    coordinators("target_change", of="model of another study", gets=MISSING),
    coordinators("target_change", "POST", of="model of the study", gets=BAD),
    coordinators("target_retire", "POST", of="model of the study", gets=AWAY),
    coordinators("target_retire", "POST", of="model of another study", gets=MISSING),
    coordinators("study_templates", of="writing", gets=OK),
    coordinators("template_edit", of="template", gets=OK),
    coordinators("template_edit", of="unknown template", gets=MISSING),
    coordinators("template_edit", "POST", of="template", gets=BAD),
    coordinators("template_restore", "POST", of="template", gets=AWAY),
    coordinators("study_runs", of="design", gets=OK),
    coordinators("study_runs", of="writing", gets=OK),
    coordinators("study_runs", of="judging", gets=OK),
    coordinators("study_runs", of="finished", gets=OK),
    coordinators("plan_run", "POST", of="writing", gets=MISSING),  # without saying what for
    coordinators("run", of="run", gets=OK),
    coordinators("start_run", "POST", of="run", gets=BAD),  # without a limit on spending
    coordinators("stop_run", "POST", of="run", gets=AWAY),
    coordinators("retry_run", "POST", of="run", gets=AWAY),
    coordinators("settle_run", "POST", of="run", gets=BAD),  # without an amount
    coordinators("withdraw_run", "POST", of="run", gets=AWAY),
    coordinators("run_calls", of="run", gets=OK),
    coordinators("call", of="call", gets=OK),
    coordinators("ask_once_more", "POST", of="call", gets=AWAY),
)

POOL = (
    *(
        coordinators(page, of=study, gets=OK)
        for page in (
            "pool",
            "pool_sources",
            "candidates",
            "pool_quality",
            "pool_diversity",
            "compare_pairs",
            "prompt_map",
            "pool_samples",
            "framing_sets",
            "trial_scenarios",
            "trial_conditions",
            "trial_approaches",
            "trial_conclusions",
        )
        for study in ("design", "finished")  # with a pool, and without one
    ),
    team("trial_sizing", of="design", gets=OK),
    team("trial_sizing", of="finished", gets=OK),
    coordinators("source_add", of="design", gets=OK),
    coordinators("source_add", "POST", of="design", gets=BAD),
    coordinators("source_use", "POST", of="design", gets=MISSING),  # none is named
    coordinators("source", of="source", gets=OK),
    coordinators("source", of="unknown source", gets=MISSING),
    coordinators("source_removed", of="step of a source", gets=OK),
    coordinators("source_drop", "POST", of="source", gets=AWAY),  # prompts were written from it
    coordinators("concept_documents", of="concepts", gets=OK),
    coordinators("concept_documents", of="source", gets=MISSING),  # it has none
    coordinators("concept_documents", "POST", of="concepts", gets=BAD),
    coordinators("document_remove", "POST", of="document", gets=AWAY),
    coordinators("concept_add", of="concepts", gets=OK),
    coordinators("concept_add", "POST", of="concepts", gets=BAD),
    coordinators("concept_change", of="concept", gets=OK),
    coordinators("concept_change", "POST", of="concept", gets=BAD),
    coordinators("concept_remove", "POST", of="concept", gets=AWAY),
    coordinators("concept_proposals", of="concepts", gets=OK),
    coordinators("concept_proposals", of="source", gets=MISSING),
    coordinators("concept_proposal", of="proposal", gets=OK),
    coordinators("concept_proposal", "POST", of="proposal", gets=BAD),
    coordinators("concept_proposal_decline", "POST", of="proposal", gets=BAD),
    coordinators("candidate", of="candidate", gets=OK),
    coordinators("candidate", of="candidate of another study", gets=MISSING),
    coordinators("review_candidate", "POST", of="candidate", gets=BAD),
    coordinators("compare_pairs", "POST", of="design", gets=OK),  # there is none to compare
    coordinators("draw_map", "POST", of="design", gets=BAD),  # no source is named
    coordinators("map_points", of="map", gets=OK),
    coordinators("map_points", of="map of another study", gets=MISSING),
    coordinators("map_svg", of="map", gets=OK),
    coordinators("map_scenario", of="scenario on the map", gets=OK),
    coordinators("pool_samples", "POST", of="design", gets=BAD),
    coordinators("pool_sample", of="sample", gets=OK),
    coordinators("pool_sample", of="sample of another study", gets=MISSING),
    coordinators("study_prompts_csv", of="sample", gets=OK),
    coordinators("evaluation_dataset_csv", of="design", gets=OK),
    coordinators("framing_sets", "POST", of="design", gets=BAD),
    coordinators("framing_set", of="framings", gets=OK),
    coordinators("framing_set", of="framings of another study", gets=MISSING),
    coordinators("plan_framings", "POST", of="framings", gets=MISSING),  # without saying what for
    coordinators("framed_prompt", of="framed prompt", gets=OK),
    coordinators("framed_prompt", of="framed prompt of another study", gets=MISSING),
    coordinators("check_framed", "POST", of="framed prompt", gets=BAD),
    coordinators("edit_framed", "POST", of="framed prompt", gets=BAD),
    coordinators("ask_framed_again", "POST", of="framed prompt", gets=AWAY),  # it was not rewritten yet
    coordinators("trial_scenarios", "POST", of="design", gets=BAD),
    coordinators("trial_scenarios_import", "POST", of="design", gets=BAD),
    coordinators("trial_scenarios_examples", "POST", of="finished", gets=AWAY),  # the design is locked
    coordinators("trial_validation", "POST", of="finished", gets=AWAY),  # the design is locked
    coordinators("trial_scenario_remove", "POST", of="scenario on trial", gets=AWAY),
    coordinators("trial_conditions", "POST", of="design", gets=BAD),
    coordinators("code_conclusion", of="scenario on trial", gets=MISSING),  # nothing is answered yet
    coordinators("code_conclusion", "POST", of="scenario on trial", gets=MISSING),
    coordinators("settle_conclusion", "POST", of="scenario on trial", gets=MISSING),
    coordinators("plan_conclusions", "POST", of="design", gets=AWAY),  # there are no answers
    coordinators("trial_categories", "POST", of="scenario on trial", gets=BAD),  # nothing is coded yet
    coordinators("trial_cases", "POST", of="design", gets=AWAY),
    coordinators("trial_approaches", "POST", of="design", gets=BAD),
    coordinators("trial_answers", "POST", of="design", gets=MISSING),  # without saying how many
    coordinators("take_sample", "POST", of="sample", gets=AWAY),
    coordinators("discard_sample", "POST", of="sample", gets=AWAY),
)


SITE = (
    route("health_live", anonymous=OK, others=OK),
    route("health_proxy", anonymous=MISSING, others=MISSING),
    route("health_ready", anonymous=OK, others=OK),
    route("demo_people", anonymous=OK, others=OK),
    route("demo_sign_in", "POST", of="demonstration person", anonymous=AWAY, others=AWAY),
    route("demo_sign_in", "POST", of="real person", anonymous=MISSING, others=MISSING),
    route("demo_mail", anonymous=OK, others=OK),
)

# allauth's pages are about the signed-in person alone: nobody else's object can be named to them. The cast has
# neither passwords nor authenticators, so there is nothing to confirm or remove.
ACCOUNTS = (
    route("account_login", anonymous=OK, others=AWAY),
    route("account_logout", anonymous=AWAY, others=OK),
    route("account_signup", anonymous=OK, others=AWAY),
    route("account_inactive", anonymous=OK, others=OK),
    route("account_reauthenticate", others=FORBIDDEN),
    route("account_email", others=OK),
    route("account_email_verification_sent", anonymous=OK, others=OK),
    route("account_confirm_email", of="unknown key", anonymous=OK, others=OK),
    route("account_change_password", others=AWAY),
    route("account_set_password", others=OK),
    route("account_reset_password", anonymous=OK, others=OK),
    route("account_reset_password_done", anonymous=OK, others=OK),
    route("account_reset_password_from_key", of="unknown reset", anonymous=OK, others=OK),
    route("account_reset_password_from_key_done", anonymous=OK, others=OK),
    route("account_request_login_code", anonymous=OK, others=AWAY),
    route("account_confirm_login_code", others=AWAY),
    route("mfa_index", others=OK),
    route("mfa_authenticate", others=AWAY),
    route("mfa_reauthenticate", others=FORBIDDEN),
    route("mfa_activate_totp", others=OK),
    route("mfa_deactivate_totp", others=MISSING),
    route("mfa_view_recovery_codes", others=MISSING),
    route("mfa_generate_recovery_codes", others=OK),
    route("mfa_download_recovery_codes", others=MISSING),
)

ROUTES = (
    *HOMES,
    *UNBLINDERS,
    *PEOPLE,
    *WRITING,
    *JUDGING,
    *PROMPTS,
    *RECRUITING,
    *COORDINATION,
    *WRITING_DESK,
    *DESIGN,
    *MONITORING,
    *ASSIGNMENT,
    *REMINDERS,
    *HONORARIA,
    *GENERATION,
    *POOL,
    *ANALYSIS,
    *RATING_FILES,
    *SITE,
    *ACCOUNTS,
)
