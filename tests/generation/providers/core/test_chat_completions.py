"""Chat completions: one format, many turns, all of them configuration."""

import json
from decimal import Decimal
from typing import Any

import pytest

from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from generation.providers.http import HttpProvider
from tests.generation.providers.core.asking import PROMPT, SCORE, http_provider, request, told
from tests.generation.providers.core.official import check_chat, official

CHAT = http_provider("chat_completions")
THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "secret"}]}
ANALYSIS = "<|channel|>analysis<|message|>They want a yes."
PLAIN = {
    "model": "m-1",
    "messages": [{"role": "user", "content": PROMPT}],
    "max_tokens": 16_000,
}


def completion(content: Any = "Yes.", *, reason: str = "stop", **message: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_795_000_000,
        "model": "m-1-001",
        "choices": [
            {
                "index": 0,
                "finish_reason": reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 70,
            "total_tokens": 170,
            "prompt_tokens_details": {"cached_tokens": 40},
            "completion_tokens_details": {"reasoning_tokens": 50},
        },
    }


def read(body: Any, status: int = 200, asked_of: HttpProvider = CHAT, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return asked_of.read(status, named, json.dumps(body))


def test_a_server_of_which_nothing_is_known_gets_the_least() -> None:
    assert CHAT.body(request()) == PLAIN


@pytest.mark.parametrize(
    ("settings", "asked", "field", "value"),
    [
        ({"cap_field": "max_completion_tokens"}, {}, "max_completion_tokens", 16_000),
        ({"effort_field": "reasoning_effort"}, {}, "reasoning_effort", "medium"),
        ({"effort_field": "reasoning.effort"}, {}, "reasoning", {"effort": "medium"}),
        ({"effort_field": "thinking"}, {"effort": "disabled"}, "thinking", {"type": "disabled"}),
        ({"effort_field": "reasoning_effort"}, {"effort": ""}, "reasoning_effort", None),
        ({}, {"temperature": 1.5}, "temperature", 1.5),
        ({"sends_temperature": False}, {"temperature": 1.5}, "temperature", None),
        ({"seed_field": "seed"}, {"replicate": 2}, "seed", 2),
        ({"seed_field": "random_seed"}, {"replicate": 3}, "random_seed", 3),
        ({"schema_mode": "json_object"}, {"schema": SCORE}, "response_format", {"type": "json_object"}),
        ({"schema_mode": "none"}, {"schema": SCORE}, "response_format", None),
        (
            {},
            {"schema": SCORE},
            "response_format",
            {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCORE, "strict": True}},
        ),
        ({"extra": {"top_k": 20}}, {}, "top_k", 20),
    ],
    ids=str,
)
def test_every_turn_of_a_server_is_a_setting_or_an_option(
    settings: dict[str, Any], asked: dict[str, Any], field: str, value: Any
) -> None:
    by_endpoint = http_provider("chat_completions", **settings).body(request(**asked))
    by_target = CHAT.body(request(**asked, options=settings))
    assert by_endpoint == by_target
    assert by_endpoint.get(field) == value
    if not settings.keys() & {"extra", "effort_field", "seed_field"}:  # what only other servers know
        check_chat(by_endpoint)


def test_a_targets_options_come_before_the_endpoints_settings() -> None:
    server = http_provider("chat_completions", effort_field="reasoning_effort")
    options = {"effort_field": "thinking"}
    assert server.body(request(effort="enabled", options=options))["thinking"] == {"type": "enabled"}
    assert not http_provider("chat_completions", sends_temperature=False).takes_temperature("", {})


@pytest.mark.parametrize(
    "name",
    "model models route n stream max_tokens max_output_tokens tools plugins service_tier reasoning stop".split(),
)
def test_nothing_extra_changes_what_is_asked_or_what_it_may_cost(name: str) -> None:
    with pytest.raises(ValueError, match=f"extra may not hold {name}"):
        CHAT.check({"extra": {name: 5}})


@pytest.mark.parametrize("options", [{"forbids": "request"}, {"states_cost": True}], ids=str)
def test_what_all_models_of_a_server_share_is_no_option_of_a_target(options: dict[str, Any]) -> None:
    http_provider("chat_completions", **options)
    with pytest.raises(ValueError, match="is not known here"):
        CHAT.check(options)


def test_the_answer_and_its_usage_are_read() -> None:
    body = completion("Yes.", reasoning="secret", reasoning_content="secret")
    official("openai.types.chat", "ChatCompletion").model_validate(body)
    reply = read(body)
    assert told(reply) == ("ok", "Yes.")
    assert reply.usage == Usage(input_tokens=100, output_tokens=70, cached_tokens=40, reasoning_tokens=50)
    assert (reply.model, reply.request_id, reply.charged) == ("m-1-001", "chatcmpl-1", None)


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ("<think>secret</think>\n\nYes.", "Yes."),
        ("secret, as some templates begin it\n</think>\nYes.", "Yes."),
        ("<think>secret without an end", ""),
        ("secret.</think>Yes.", "Yes."),
        ("<thinking>secret</thinking>Yes.", "Yes."),
        ("<seed:think>secret</seed:think>\nYes.", "Yes."),
        ("[THINK]secret[/THINK]Yes.", "Yes."),
        ("<think>secret </thinking> still</think>Yes.", "Yes."),
        ("◁think▷secret◁/think▷Yes.", "Yes."),
        ('<think effort="3">secret</think>Yes.', "Yes."),
        ("<think>secret <think>more</think> still</think>Yes.", "Yes."),
        ("<think>It says <think> here.</think>It ends with `</think>`.", "It ends with `</think>`."),
        ("secret and more</think>Yes.", "Yes."),
        ("One. The mark “</think>” ends it. Two.", "One. The mark “</think>” ends it. Two."),
        ("Some write </think> where they end.", "Some write </think> where they end."),
        ("One.\n```\n</think>\n```\nTwo.", "One.\n```\n</think>\n```\nTwo."),
        ("secret\n</think>\nA quoted “</think>” stays.", "A quoted “</think>” stays."),
        *(
            (said, said)
            for said in (
                "- Begin with <think>\n- End with </think>\n- Then answer",
                "So the mark is </think>",
                "It is **</think>** in bold, or (</think>) in brackets.",
                "They end with “</think>”.\nAnd “</think>” again.",
                "At last <|channel|>final<|message|> is a mark of its own.",
                "It prints assistantfinal, and no more. “assistantfinal” it is.",
            )
        ),
        ('<think>They quote "</think>" here.\n</think>\nYes.', "Yes."),
        ("<think>They quote `</think>`.</think>“Yes,” it says.", "“Yes,” it says."),
        ('<think>They want "yes"</think>"Yes."', '"Yes."'),
        ("secret.</think>**Yes.**", "**Yes.**"),
        ("secret.</think> Yes.", "Yes."),
        ("Is `<think>` meant? secret.\n</think>\nYes.", "Yes."),
        ("<scratchpad>secret</scratchpad>\n<answer>\nYes.\n</answer>", "Yes."),
        ("<|START_THINKING|>secret<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>", "Yes."),
        ("<|begin_of_thought|>secret<|end_of_thought|>\n<|begin_of_solution|>Yes.", "Yes."),
        ("<|channel>thought\nsecret<channel|>Yes.", "Yes."),
        ("<answer>Yes.</answer>", "<answer>Yes.</answer>"),
        ("analysisthey want a yes.assistantfinalYes.", "Yes."),
        ("analysis\nsecret\nassistantfinal\nYes.", "Yes."),
        (f"{ANALYSIS}<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>", "Yes."),
        (f"{ANALYSIS}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>1", "1"),
        (ANALYSIS, ""),
        ("analysisThey want a yes. So yes.assistantfinalYes.", "Yes."),
        (
            "analysis is what this answer offers, and no assistant.",
            "analysis is what this answer offers, and no assistant.",
        ),
        ("It writes <|channel|> in front.", "It writes <|channel|> in front."),
        ("Two < three, and <em> is a tag.", "Two < three, and <em> is a tag."),
        ([THOUGHT, {"type": "text", "text": "Yes."}], "Yes."),
        (None, ""),
    ],
    ids=str,
)
def test_reasoning_is_kept_out_of_the_answer_wherever_a_server_puts_it(content: Any, answer: str) -> None:
    assert read(completion(content)).text == answer


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("length", "truncated"),
        ("model_length", "truncated"),
        ("content_filter", "filtered"),
        ("tool_calls", "odd"),
        ("abort", "odd"),
        ("error", "odd"),
    ],
)
def test_only_stop_is_a_clean_end(reason: str, outcome: str) -> None:
    assert told(read(completion("Half an", reason=reason))) == (outcome, "Half an")


def test_a_refusal_and_an_answer_lost_in_reasoning_are_not_answers() -> None:
    assert read(completion(None, refusal="I cannot.")).outcome is Outcome.REFUSED
    assert read(completion(None, reasoning="secret")).outcome is Outcome.EMPTY
    assert read(completion("", reason="length")).outcome is Outcome.TRUNCATED


@pytest.mark.parametrize(
    "cached",
    [{"prompt_tokens_details": {"cached_tokens": 40}}, {"prompt_cache_hit_tokens": 40}, {"cached_tokens": 40}],
    ids=["OpenAI", "DeepSeek", "Moonshot"],
)
def test_input_from_a_cache_is_counted_as_such_whoever_states_it(cached: dict[str, Any]) -> None:
    body = completion() | {"usage": {"prompt_tokens": 100, "completion_tokens": 7, **cached}}
    assert read(body).usage == Usage(input_tokens=100, output_tokens=7, cached_tokens=40)


@pytest.mark.parametrize(
    ("options", "effort", "sent"),
    [
        ({}, "high", {}),
        ({"effort_field": "reasoning_effort"}, "high", {"reasoning_effort": "high"}),
        ({"effort_field": "reasoning.effort"}, "high", {"reasoning": {"effort": "high"}}),
        ({"effort_field": "reasoning.enabled"}, "on", {"reasoning": {"enabled": True}}),
        ({"effort_field": "thinking"}, "disabled", {"thinking": {"type": "disabled"}}),
        ({"effort_field": "chat_template_kwargs.thinking"}, "off", {"chat_template_kwargs": {"thinking": False}}),
        (
            {
                "effort_field": "chat_template_kwargs.reasoning_effort",
                "extra": {"chat_template_kwargs": {"builtin_tools": []}},
            },
            "low",
            {"chat_template_kwargs": {"builtin_tools": [], "reasoning_effort": "low"}},
        ),
        ({"effort_field": "reasoning_effort"}, "", {}),
    ],
    ids=str,
)
def test_the_effort_goes_where_the_server_looks_for_it_and_what_is_sent_is_told(
    options: dict[str, Any], effort: str, sent: dict[str, Any]
) -> None:
    asked = request(effort=effort, options=options)
    assert CHAT.effort_sent(asked) == sent
    assert sent.items() <= CHAT.body(asked).items()
    assert "high" not in str(CHAT.body(request(effort="high")))  # nowhere, unless the server has a place for it


def test_a_cost_is_taken_from_a_server_that_states_it_and_from_no_other() -> None:
    body = completion()
    body["usage"]["cost"] = 0.00125
    assert read(body, asked_of=http_provider("chat_completions", states_cost=True)).charged == Decimal("0.00125")
    assert read(body).charged is None


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": 502, "message": "Oh."}},
        {"choices": [{"finish_reason": "error", "error": {"code": 502, "message": "Oh."}}]},
    ],
    ids=["in the body", "in the answer begun"],
)
def test_an_error_after_a_success_began_keeps_what_it_says_it_cost(body: dict[str, Any]) -> None:
    spent = {"prompt_tokens": 100, "completion_tokens": 7, "cost": 0.5}
    reply = read({**body, "usage": spent}, asked_of=http_provider("chat_completions", states_cost=True))
    assert (reply.outcome, reply.charged, reply.cost_unknown) == (Outcome.RETRYABLE, Decimal("0.5"), False)
    assert reply.usage == Usage(input_tokens=100, output_tokens=7)


def error(message: str = "In its words.", **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, **fields}}


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (429, error(), "retryable"),
        (429, error("You exceeded your current quota."), "final_account"),
        (429, error(type="exceeded_current_quota_error"), "final_account"),
        (425, error(), "retryable"),
        (524, {}, "retryable"),
        (402, error(), "final_account"),
        (402, error(code=402, metadata={"error_type": "in_flight_budget_exhausted"}), "retryable"),
        (403, error(), "final_account"),
        (403, error(code=403, metadata={"reasons": ["violence"]}), "filtered"),
        (400, error(type="content_filter"), "filtered"),
        (400, error(), "final_request"),
        (404, {"error": "model 'x' not found"}, "final_request"),
        (422, {"detail": [{"msg": "Field required"}]}, "final_request"),
        (200, error(code=502), "retryable"),
        (200, error(code=400), "final_request"),
        (200, {"choices": [{"finish_reason": "error", "error": {"code": 502, "message": "Oh."}}]}, "retryable"),
    ],
    ids=str,
)
def test_errors_are_told_apart_even_where_they_come_as_a_success(status: int, body: Any, outcome: str) -> None:
    assert read(body, status).outcome == outcome


@pytest.mark.parametrize("field", ["code", "type"])
@pytest.mark.parametrize("name", ["insufficient_quota", "exceeded_current_quota_error", "insufficient_balance"])
def test_an_empty_purse_by_its_code_is_one_whatever_wait_is_asked_for(field: str, name: str) -> None:
    assert read(error(**{field: name}), 429, retry_after="7").outcome is Outcome.FINAL_ACCOUNT


def test_a_limit_that_says_when_to_come_back_is_no_empty_purse() -> None:
    assert read(error("Quota for this minute used up."), 429, retry_after="7").outcome is Outcome.RETRYABLE


def test_what_a_403_means_is_the_endpoints_to_say() -> None:
    together = http_provider("chat_completions", forbids="request")
    assert read(error("Prompt too long"), 403, together).outcome is Outcome.FINAL_REQUEST
