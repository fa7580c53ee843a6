"""The workloads in Monty, a sandbox for Python: python3 monty.py NAME SIZE SECONDS DATA

Prints the same JSON object as cpython.py. The data is given to a session before the clock starts; a sample is one call from
here to the worker process and back, which is how Monty runs programs.
"""

import json
import sys
import time

from pydantic_monty import Monty

PROGRAMS = '''
def W2(orders, customers):
    regions = {}
    for order in orders:
        if order["amount"] > 100 and order["status"] == "paid":
            regions.setdefault(order["region"], []).append(order["amount"])
    return [{"region": region, "count": len(regions[region]), "sum": sum(regions[region])} for region in sorted(regions)]

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def W4(size):
    i, total = 1, 0
    while i <= size:
        total += i
        i += 1
    return total

def W5(orders, customers):
    totals = {}
    for order in orders:
        customer = order["customer"]
        totals[customer] = totals.get(customer, 0) + order["amount"]
    return [len(totals), totals.get("c42")]

def W6(orders, customers):
    by_id = {customer["id"]: customer for customer in customers}
    lines = []
    for order in orders:
        total = sum([item["qty"] * item["price"] for item in order["items"]])
        lines.append({"id": order["id"], "tier": by_id[order["customer"]]["tier"], "total": total})
    return sorted(lines, key=lambda line: -line["total"])[:10]

def W7(orders, customers):
    line = ",".join([f"{order['id']}:{order['customer']}:{order['amount']}" for order in orders])
    return len([piece for piece in line.split(",") if "c42" in piece])
'''


def measure(seconds, batch, run):
    samples = []
    began = time.perf_counter()
    while len(samples) < 3 or (len(samples) < 2000 and time.perf_counter() - began < seconds):
        start = time.perf_counter_ns()
        for _ in range(batch):
            run()
        samples.append((time.perf_counter_ns() - start) // batch)
    return samples


def main():
    name, size, seconds, path = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    with Monty() as pool:
        if name == "W1":

            def fresh():
                with pool.checkout() as session:
                    return session.feed_run(f"{size} + 2")

            answer, samples = fresh(), measure(seconds, 5, fresh)
        else:
            with pool.checkout() as session:
                session.feed_run(PROGRAMS)
                if name in ("W3", "W4"):
                    call = f"{'fib' if name == 'W3' else 'W4'}({size})"
                else:
                    with open(path) as file:
                        data = json.load(file)
                    session.feed_run("orders, customers = data['orders'], data['customers']\nNone", inputs={"data": data})
                    call = f"{name}(orders, customers)"
                answer = session.feed_run(call)
                samples = measure(seconds, 1, lambda: session.feed_run(call))
    print(json.dumps({"workload": name, "size": size, "samples_ns": samples, "answer": answer}))


main()
