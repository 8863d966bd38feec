"""Life cycles of machine work."""

from annotation.platform.core.lifecycle import Lifecycle, Transition

RUN = Lifecycle(
    "The run",
    ("planning", "planned", "running", "stopped", "finished", "withdrawn"),
    (
        Transition("plan", "planning", "planned", "everything it would ask is listed, with what that may cost"),
        Transition("start", "planned", "running", "somebody approved the plan and how much it may spend"),
        Transition("stop", "running", "stopped", "somebody, a spent account or the spending limit stopped it"),
        Transition("start", "stopped", "running", "it goes on where it stopped"),
        Transition("finish", "running", "finished", "every call has its outcome"),
        Transition("retry", "finished", "running", "somebody asks again for what failed"),
        Transition("withdraw", "planning", "withdrawn", "nobody wants it any more; nothing was sent"),
        Transition("withdraw", "planned", "withdrawn", "nobody wants it any more; nothing was sent"),
    ),
)

CALL = Lifecycle(
    "The call",
    ("pending", "waiting", "accepted", "failed", "not_asked", "superseded"),
    (
        Transition("accept", "pending", "accepted", "a reply was good enough to keep"),
        Transition("fail", "pending", "failed", "its outcome is final, or its attempts are used up"),
        Transition("retry", "failed", "pending", "somebody asks for it again"),
        Transition("accept", "failed", "accepted", "a good reply came that was taken for lost"),
        Transition("hold", "pending", "waiting", "it carries the reply to another call, which is not there yet"),
        Transition("free", "waiting", "pending", "that reply was accepted"),
        Transition("skip", "waiting", "not_asked", "that call failed or was not asked itself"),
        Transition("hold", "not_asked", "waiting", "somebody asks again for what failed"),
        *(
            Transition("supersede", state, "superseded", "it, or a call before it, is asked once more")
            for state in ("pending", "waiting", "accepted", "failed", "not_asked")
        ),
    ),
)

BATCH = Lifecycle(
    "The batch",
    ("sending", "sent", "ended", "lost"),
    (
        Transition("send", "sending", "sent", "the provider took it and gave it an id"),
        Transition("lose", "sending", "lost", "the provider does not know it; its calls go out again"),
        Transition("end", "sent", "ended", "its replies are recorded; what it left out goes out again"),
    ),
)
