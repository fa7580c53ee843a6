-- The workloads in Lua 5.4. Tables are changed in place, as everyone does there.

function W2(orders)
  local regions = {}
  for _, order in ipairs(orders) do
    if order.amount > 100 and order.status == "paid" then
      local found = regions[order.region]
      if found == nil then
        found = { region = order.region, count = 0, sum = 0 }
        regions[order.region] = found
      end
      found.count = found.count + 1
      found.sum = found.sum + order.amount
    end
  end
  local list = {}
  for _, found in pairs(regions) do
    table.insert(list, found)
  end
  table.sort(list, function(a, b) return a.region < b.region end)
  return list
end

local function fib(n)
  if n < 2 then
    return n
  end
  return fib(n - 1) + fib(n - 2)
end

function W3(size)
  return fib(size)
end

function W4(size)
  local i, sum = 1, 0
  while i <= size do
    sum = sum + i
    i = i + 1
  end
  return sum
end

function W5(orders)
  local totals, count = {}, 0
  for _, order in ipairs(orders) do
    local total = totals[order.customer]
    if total == nil then
      total = 0
      count = count + 1
    end
    totals[order.customer] = total + order.amount
  end
  return { count, totals.c42 }
end

function W6(orders, customers)
  local byId = {}
  for _, customer in ipairs(customers) do
    byId[customer.id] = customer
  end
  local lines = {}
  for _, order in ipairs(orders) do
    local total = 0
    for _, item in ipairs(order.items) do
      total = total + item.qty * item.price
    end
    table.insert(lines, { id = order.id, tier = byId[order.customer].tier, total = total })
  end
  -- The sort is not stable: equal totals stay in order by their ids.
  table.sort(lines, function(a, b)
    return a.total > b.total or (a.total == b.total and a.id < b.id)
  end)
  return table.move(lines, 1, 10, 1, {})
end

function W7(orders)
  local pieces = {}
  for _, order in ipairs(orders) do
    table.insert(pieces, order.id .. ":" .. order.customer .. ":" .. order.amount)
  end
  local count = 0
  for piece in string.gmatch(table.concat(pieces, ","), "[^,]+") do
    if string.find(piece, "c42", 1, true) then
      count = count + 1
    end
  end
  return count
end
