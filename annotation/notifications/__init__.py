"""Mails at changes of phase: their occasions, what a study says on each, and to whom it went."""
