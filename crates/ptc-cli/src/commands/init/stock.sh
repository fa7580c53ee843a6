#!/bin/sh
# Pieces left in the warehouse: {"product": "Desk lamp"} on standard input, {"left": 3} on standard output.
product=$(sed -n 's/.*"product": *"\([^"]*\)".*/\1/p')
case "$product" in
"Backpack, grey") left=2 ;;
"Desk lamp") left=3 ;;
"Mug, white") left=12 ;;
"Notebook, dotted") left=9 ;;
"Tea tin, Assam") left=7 ;;
"Wool blanket") left=1 ;;
*)
    # The last line on standard error is what the model reads when the exit code is not 0.
    echo "there is no product '$product'" >&2
    exit 1
    ;;
esac
echo "{\"left\": $left}"
