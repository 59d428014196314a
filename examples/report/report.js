// Reads the orders of a shop and its price list, and returns who bought what for how much.
import { parse } from "@nodetool-ai/sandbox-csv";
import yaml from "@nodetool-ai/sandbox-yaml";

const orders = await parse(inputs.orders); // one object a row; the delimiter is found by itself
const prices = yaml.load(inputs.prices);

const discountOf = (order, amount) =>
  prices.discounts.find((each) => ("customer" in each ? each.customer === order.customer : amount >= each.from))
    ?.percent ?? 0;

const cents = (amount) => Math.round(amount * 100) / 100;
const customers = new Map();
let total = 0;

for (const [index, order] of orders.entries()) {
  progress((100 * index) / orders.length, `order ${order.order}`);
  const article = prices.articles[order.article];
  if (!article) {
    console.warn(`order ${order.order} is left out: ${order.article} is not on the price list`);
    continue;
  }
  const amount = article.price * Number(order.pieces);
  const paid = amount * (1 - discountOf(order, amount) / 100);
  const before = customers.get(order.customer) ?? { orders: 0, paid: 0 };
  customers.set(order.customer, { orders: before.orders + 1, paid: before.paid + paid });
  total += paid;
}
console.log(`${orders.length} orders of ${customers.size} customers`);

return {
  currency: prices.currency,
  pricesFrom: prices.valid_from,
  customers: [...customers]
    .map(([name, { orders: count, paid }]) => ({ name, orders: count, paid: cents(paid) }))
    .sort((a, b) => b.paid - a.paid),
  total: cents(total),
  withTax: cents(total * (1 + prices.tax_percent / 100)),
};
