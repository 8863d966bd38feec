"""How people and models fared: ranks, scores, strengths, calibration; and who took part."""
