"""Where answers are from, under the seed: recomputed with nothing but a hash function."""

import hmac

from annotation.assignment.core.opening_hashes import Origin, origins_hmac

SEED = bytes(range(32))
HUMAN = Origin("11", "human", "W-0001")
MODEL = Origin("22", "model", "claude")
OTHER = Origin("33", "model", "gemini")


def test_every_part_stands_behind_its_length() -> None:
    message = (
        b"\0\0\0\x10scrub/origins/v1"  # 16 bytes
        b"\0\0\0\x06BBQ_01"
        b"\0\0\0\x0211\0\0\0\x05human\0\0\0\x06W-0001"
        b"\0\0\0\x0222\0\0\0\x05model\0\0\0\x06claude"
    )
    found = origins_hmac(SEED, prompt="BBQ_01", origins=[MODEL, HUMAN])
    assert found == hmac.new(SEED, message, "sha256").hexdigest()


def test_the_hash_of_origins_is_the_same_in_every_order() -> None:
    assert origins_hmac(SEED, prompt="P", origins=[HUMAN, MODEL, OTHER]) == origins_hmac(
        SEED, prompt="P", origins=[OTHER, HUMAN, MODEL]
    )


def test_the_hash_of_origins_is_another_one_for_every_change() -> None:
    origins = [HUMAN, MODEL, OTHER]
    found = {
        origins_hmac(SEED, prompt="P", origins=origins),
        origins_hmac(bytes(32), prompt="P", origins=origins),
        origins_hmac(SEED, prompt="Q", origins=origins),
        origins_hmac(SEED, prompt="P", origins=origins[:2]),
        origins_hmac(
            SEED, prompt="P", origins=[HUMAN, MODEL._replace(source="gemini"), OTHER._replace(source="claude")]
        ),
        origins_hmac(SEED, prompt="P", origins=[HUMAN._replace(arm="model"), MODEL._replace(arm="human"), OTHER]),
    }
    assert len(found) == 6
