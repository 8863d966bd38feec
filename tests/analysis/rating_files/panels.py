"""A study's files in the published layout, made up: people's judgments and a panel's scores of the same answers."""

import io
from zipfile import ZipFile

import numpy as np

DIMENSIONS = ("clarity", "evidence")
SOURCES = ("claude", "gpt", "")  # people have no name
JUDGE_MODELS = ("claude-5", "gpt-6")
PERSPECTIVES = ("historian", "sociologist")


def published_files(prompts: int = 5, judges: int = 4) -> dict[str, bytes]:
    """By their paths in the folder. One reply of the panel abstained, one is missing."""
    rng = np.random.default_rng(3)
    judged = ["prompt_id,true_id,blinded_label,item_type,true_source,model,rank,score,judge_id,clarity,evidence"]
    scored = ["response_id,respondent_id,judge_model,perspective_id,clarity,evidence,abstained"]
    texts = ["response_id,prompt_id,model,text"]
    for prompt in range(prompts):
        name = f"BBQ_{prompt:02}"
        levels = rng.normal((7, 6, 4), 1)
        for judge in range(judges):
            marks = np.clip(np.round(levels[:, None] + rng.normal(0, 1, (3, 2))), 1, 10).astype(int)
            total = marks.sum(axis=1)
            for place, source in enumerate(SOURCES):
                rank = 1 + int((total > total[place]).sum())
                kind = "model" if source else "human"
                judged.append(
                    f"{name},{name}-{source or 'person'},Response {'ABC'[place]},standard,{kind},{source},{rank},"
                    f"{total[place]},J{judge},{marks[place, 0]},{marks[place, 1]}"
                )
        for place, source in enumerate(SOURCES):
            answer = f"{name}-{source or 'person'}"
            if source:
                texts.append(f"{answer},{name},{source},{'word ' * (10 + place)}")
            for judge_model in JUDGE_MODELS:
                for perspective in PERSPECTIVES:
                    if (prompt, source, judge_model, perspective) == (0, "gpt", "gpt-6", "historian"):
                        continue
                    mark = np.clip(np.round(levels[place] + rng.normal(0, 0.7, 2)), 1, 10).astype(int)
                    abstains = (prompt, source, judge_model, perspective) == (1, "", "gpt-6", "sociologist")
                    scored.append(
                        f"{answer},{source or 'W-1'},{judge_model},{perspective},{mark[0]},{mark[1]},{abstains}"
                    )
    return {
        "study/SCRuBAnnotations/task2_human_judgments.csv": _bytes(judged),
        "study/SCRuBPanel/panel_scores.csv": _bytes(scored),
        "study/SCRuBAnnotations/model_responses_standard.csv": _bytes(texts),
        "study/SCRuBEval/evaluation_dataset.csv": b"prompt\nWhat is owed to whom?\n",
        "study/README.md": b"# A study\n",
    }


def zipped_folder(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def _bytes(lines: list[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()
