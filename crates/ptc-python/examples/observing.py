"""An agent with two tools, observed while it works: text as it arrives, then each turn.

The model is scripted, so that this runs anywhere. `python observing.py ollama:qwen3` asks a real one.
"""

import sys
from dataclasses import dataclass

import ptc_runner as ptc

STOCK = {"tea": 3, "cup": 40, "pot": 0}


@dataclass
class Order:
    """What to buy."""

    item: str
    quantity: int


@ptc.tool(effect="read")
def stock(item: str) -> int:
    """How many of an item are in the warehouse."""
    return STOCK[item]


@ptc.tool(approve=True)
def buy(order: Order) -> str:
    """Orders from the supplier."""
    STOCK[order.item] += order.quantity
    return f"ordered {order.quantity} of {order.item}"


def show(turn: ptc.Turn) -> None:
    """One line for a turn, one for each call."""
    print(f"turn {turn.number}: {'ok' if turn.ok else turn.error}")
    for call in turn.calls:
        print(f"  {call.tool} {call.args} -> {call.error or call.result}")


def allow(tool: str, args: dict[str, object]) -> bool | str:
    """Small orders only."""
    order = args["order"]
    assert isinstance(order, dict)
    return order["quantity"] <= 20 or "at most 20 at once"


SCRIPT = [
    "(def missing (filter #(< (tool/stock {:item %}) (get data/wanted %)) (keys data/wanted)))\n(println missing)",
    '(tool/buy {:order {:item "pot" :quantity 50}})',
    "(return (vec (for [item missing] (tool/buy {:order {:item item :quantity 10}}))))",
]


def main() -> None:
    """Run the agent."""
    model: ptc.Model = sys.argv[1] if len(sys.argv) > 1 else ptc.ScriptedModel(SCRIPT)
    agent = ptc.Agent("Buy what is missing for the wanted stock.", tools=[stock, buy], returns=list[str], compression=True)
    wanted = {"tea": 10, "cup": 20, "pot": 5}
    step = agent.run({"wanted": wanted}, model=model, on_turn=show, on_text=lambda text: print("|", text), approve=allow)
    print(step.value)


if __name__ == "__main__":
    main()
