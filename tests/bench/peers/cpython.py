"""The workloads in Python, on the same data: the yardstick that the targets are scaled by.

Usage: python3 cpython.py NAME SIZE SECONDS
Prints one JSON object: workload, size, samples_ns, answer. Each sample is the processor time of a
whole run over data that is there already; W1 also compiles. Written as a Python programmer would: dictionaries are changed in place.
"""

import json
import sys
import time

REGIONS = ["north", "south", "east", "west", "central"]
STATES = ["paid", "open", "void"]
TIERS = ["gold", "silver", "bronze"]


def item(number):
    return {"sku": f"s{number % 50}", "qty": number % 7 + 1, "price": number * 31 % 1000 / 10.0}


def order(i):
    return {
        "id": i,
        "customer": f"c{i % 500}",
        "region": REGIONS[i % 5],
        "amount": i * 7919 % 100000 / 100.0,
        "status": STATES[i % 3],
        "items": [item(i), item(i + 1), item(i + 2)],
    }


def customer(i):
    return {"id": f"c{i}", "tier": TIERS[i % 3], "name": f"Customer {i}"}


def w1(size):
    return eval(compile(f"{size} + 2", "program", "eval"))


def w2(orders):
    regions = {}
    for order in orders:
        if order["amount"] > 100 and order["status"] == "paid":
            regions.setdefault(order["region"], []).append(order)
    return [
        {"region": region, "count": len(rows), "sum": sum(row["amount"] for row in rows)}
        for region, rows in sorted(regions.items())
    ]


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def w4(size):
    i, total = 1, 0
    while i <= size:
        total += i
        i += 1
    return total


def w5(orders):
    totals = {}
    for order in orders:
        customer = order["customer"]
        totals[customer] = totals.get(customer, 0) + order["amount"]
    return [len(totals), totals.get("c42")]


def w6(orders, customers):
    by_id = {customer["id"]: customer for customer in customers}
    lines = [
        {
            "id": order["id"],
            "tier": by_id[order["customer"]]["tier"],
            "total": sum(item["qty"] * item["price"] for item in order["items"]),
        }
        for order in orders
    ]
    lines.sort(key=lambda line: line["total"], reverse=True)
    return lines[:10]


def w7(orders):
    line = ",".join(f"{order['id']}:{order['customer']}:{order['amount']}" for order in orders)
    return len([piece for piece in line.split(",") if "c42" in piece])


def subject(name, size):
    """A function of no arguments, and how often it runs between two looks at the clock."""
    if name == "W1":
        sizes = iter(range(size, 1 << 62))
        return lambda: w1(next(sizes)), 200
    if name == "W3":
        return lambda: fib(size), 1
    if name == "W4":
        return lambda: w4(size), 1
    orders = [order(i) for i in range(size)]
    customers = [customer(i) for i in range(500)]
    runs = {"W2": lambda: w2(orders), "W5": lambda: w5(orders), "W6": lambda: w6(orders, customers), "W7": lambda: w7(orders)}
    return runs[name], 1


def main():
    name, size, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    run, batch = subject(name, size)
    answer = run()
    samples = []
    began = time.perf_counter()
    while len(samples) < 3 or (len(samples) < 2000 and time.perf_counter() - began < seconds):
        start = time.thread_time_ns()
        for _ in range(batch):
            run()
        samples.append((time.thread_time_ns() - start) // batch)
    print(json.dumps({"workload": name, "size": size, "samples_ns": samples, "answer": answer}))


main()
