// Three banks, three kinds of CSV: one table, oldest first, without what two of them say twice.
import { parse, stringify } from "@nodetool-ai/sandbox-csv";

const banks = {
  north: (row) => ({ date: row.Date, amount: Number(row.Amount), text: row.Description }),
  rhein: (row) => ({
    date: row.Buchungstag.split(".").reverse().join("-"),
    amount: Number(row.Betrag.replaceAll(".", "").replace(",", ".")),
    text: row.Verwendungszweck,
  }),
  mobile: (row) => ({
    date: row.completed.slice(0, 10),
    amount: (row.type === "debit" ? -1 : 1) * Number(row.value),
    text: row.note,
  }),
};
const rows = [];
for (const [bank, read] of Object.entries(banks)) {
  for (const row of await parse(inputs[bank])) rows.push({ bank, ...read(row) });
}
const seen = new Set();
const merged = rows
  .filter((row) => {
    const key = `${row.date} ${row.amount} ${row.text.toLowerCase()}`;
    return !seen.has(key) && seen.add(key);
  })
  .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
const balance = merged.reduce((cents, row) => cents + Math.round(row.amount * 100), 0) / 100;
return { balance, dropped: rows.length - merged.length, table: await stringify(merged) };
