"""What models that read texts, blind to their source, said of what gives it away."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class TextReading(models.Model):
    """The verdict of one reader on one text, by the text's hash: an edited text is another one.

    `quote` stands in the text; it is empty where the verdict is that nothing gives the source away.
    """

    class Verdict(models.IntegerChoices):
        NOTHING = 0, "finds nothing that leaks"
        PERHAPS = 1, "perhaps leaks"
        PROBABLY = 2, "probably leaks"
        SURELY = 3, "surely leaks"

    response = models.ForeignKey("annotation.Response", on_delete=models.PROTECT, related_name="+")
    text_sha256 = models.CharField(max_length=64)
    reader = models.CharField(max_length=40, help_text="The name of the model that read it, as the study calls it.")
    verdict = models.PositiveSmallIntegerField(choices=Verdict.choices)
    quote = models.TextField(blank=True)
    reason = models.TextField()
    read_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("response", "id")
        constraints = [
            models.UniqueConstraint(fields=["response", "text_sha256", "reader"], name="text_reading_unique"),
            models.CheckConstraint(name="text_reading_verdict_known", condition=Q(verdict__lte=3)),
            models.CheckConstraint(
                name="text_reading_quotes_what_leaks",
                condition=Q(verdict=0, quote="") | (Q(verdict__gt=0) & ~Q(quote="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reader} {self.get_verdict_display()}"
