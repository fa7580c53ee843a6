// The workloads in JavaScript. Objects are changed in place.

function W2(orders) {
  const regions = new Map();
  for (const order of orders) {
    if (order.amount > 100 && order.status === "paid") {
      let found = regions.get(order.region);
      if (!found) {
        found = { region: order.region, count: 0, sum: 0 };
        regions.set(order.region, found);
      }
      found.count += 1;
      found.sum += order.amount;
    }
  }
  return [...regions.values()].sort((a, b) => (a.region < b.region ? -1 : 1));
}

function fib(n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

function W3(size) {
  return fib(size);
}

function W4(size) {
  let sum = 0;
  for (let i = 1; i <= size; i++) sum += i;
  return sum;
}

function W5(orders) {
  const totals = new Map();
  for (const order of orders) totals.set(order.customer, (totals.get(order.customer) ?? 0) + order.amount);
  return [totals.size, totals.get("c42")];
}

function W6(orders, customers) {
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  return orders
    .map((order) => ({
      id: order.id,
      tier: byId.get(order.customer).tier,
      total: order.items.reduce((sum, item) => sum + item.qty * item.price, 0),
    }))
    .sort((a, b) => b.total - a.total)
    .slice(0, 10);
}

function W7(orders) {
  const line = orders.map((order) => `${order.id}:${order.customer}:${order.amount}`).join(",");
  return line.split(",").filter((piece) => piece.includes("c42")).length;
}
