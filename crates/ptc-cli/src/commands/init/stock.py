"""Pieces left in the warehouse: {"product": "Desk lamp"} on standard input, {"left": 3} on standard output."""

import json
import sys

LEFT = {
    "Backpack, grey": 2,
    "Desk lamp": 3,
    "Mug, white": 12,
    "Notebook, dotted": 9,
    "Tea tin, Assam": 7,
    "Wool blanket": 1,
}

product = json.load(sys.stdin)["product"]
if product not in LEFT:
    # The last line on standard error is what the model reads when the exit code is not 0.
    sys.exit(f"there is no product {product!r}; known: {', '.join(LEFT)}")
print(json.dumps({"left": LEFT[product]}))
