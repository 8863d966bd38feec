"""What a move of modules and files must not change: recorded into a folder, and compared with another such folder.

    make inventory OUT=before
    … move modules …
    make inventory OUT=after
    python -m scripts.inventory compare before after --renames renames.toml

A folder holds sorted lines of text, a sub-folder for each aspect (`aspects.py` lists them), so that `diff` reads it
too. The file of renames says what moved; everything that is not in it has to be where it was:

    [modules]
    "shop.selectors.orders" = "shop.orders.selectors"
    "shop.services.people" = ["shop.people.services", "shop.people.invitations"]

    [paths]
    "static/js/basket.js" = "static/orders/basket.js"
    "tests/app/test_basket.py" = "tests/shop/orders/test_basket.py"

A module's new name holds for what is below it, too. Nothing here imports a module of the apps by its path: what is
needed of them is found through Django's registry, its addresses, its commands and `scrub_site`.
"""
