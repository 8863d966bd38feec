"""How people come and go: invitations, accounts, consent, profile, limits, and what waits for them."""
