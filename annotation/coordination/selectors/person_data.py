"""All that the site holds of one person, for a request of theirs: of their account and of each study."""

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q

from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.coordination.models.honoraria import Payment
from annotation.coordination.models.reminders import Reminder
from annotation.notifications.models import Notification
from annotation.people.selectors.own_data import own_data
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Invitation, Participation
from annotation.unblinders.models import Unblinder
from annotation.writing.models import Draft, DraftRevision, LateText, SideText

Encoder = DjangoJSONEncoder


def person_data(user: User) -> dict[str, Any]:
    """A person's data, by what they are about. Other people appear by number alone."""
    participations = Participation.objects.filter(user=user).select_related("study").order_by("pk")
    invitations = Invitation.objects.filter(Q(accepted_by=user) | Q(email__iexact=user.email))
    return {
        "account": _row(
            user, "id", "email", "name", "time_zone", "is_active", "is_staff", "joined_at", "last_login"
        ),
        "invitations": list(
            invitations.order_by("pk").values("study__slug", "role", "email", "name", "message", "invited_at")
        ),
        "studies": {participation.study.slug: _in_study(participation) for participation in participations},
        "offices": list(
            Unblinder.objects.filter(user=user).values(
                "study__slug", "name", "affiliation", "email", "accepted_at", "ended_at"
            )
        ),
        "mails at changes of phase": list(
            Notification.objects.filter(user=user).values("study__slug", "subject", "body", "sent_at")
        ),
        "recorded actions": list(
            AuditEvent.objects.filter(actor=user).order_by("id").values("at", "study__slug", "verb", "subject")
        ),
    }


def _in_study(participation: Participation) -> dict[str, Any]:
    writing = {"assignment__participation": participation}
    return {
        **own_data(participation).as_json,
        "feedback": participation.feedback,
        "flags": list(
            Flag.objects.filter(participation=participation).values(
                "prompt_version", "label", "kind", "words", "raised_at"
            )
        ),
        "reviews": list(
            Review.objects.filter(annotator=participation, revision__gt=0).values("question", "verdict", "saved_at")
        ),
        "answers_marked": list(
            AnswerMark.objects.filter(marker=participation)
            .exclude(verdict="")
            .values("question", "kind", "shown", "verdict", "marked_at")
        ),
        "flaws_flagged": list(
            QuestionFlag.objects.filter(review__annotator=participation).values(
                "review__question", "axis", "category", "flaw", "scope", "note"
            )
        ),
        "drafts": list(Draft.objects.filter(**writing).values("assignment", "text", "saved_at")),
        "saves": list(
            DraftRevision.objects.filter(**writing).values(
                "assignment", "at", "removed", "inserted", "activity", "saved_at"
            )
        ),
        "texts beside": list(SideText.objects.filter(**writing).values("assignment", "text", "received_at")),
        "late texts": list(LateText.objects.filter(**writing).values("assignment", "text", "received_at")),
        "payments": list(
            Payment.objects.filter(participation=participation).values("amount", "paid_on", "note", "recorded_at")
        ),
        "reminders": Reminder.objects.filter(participation=participation).count(),
    }


def _row(user: User, *names: str) -> dict[str, Any]:
    return {name: getattr(user, name) for name in names}
