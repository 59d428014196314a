// A workbook with dates and formulas to JSON, and from the JSON back to a workbook with its formats.
import { parse, sheets, write } from "@nodetool-ai/sandbox-xlsx";

const formats = [
  { range: "A1:E1", bold: true },
  { range: "B2:B9", numberFormat: "yyyy-mm-dd" },
  { range: "C2:C9", numberFormat: "0.00" },
];
const writeOrders = (rows) => write([{ name: "Orders", rows, styles: formats, freeze: "A2" }], { allowFormulas: true });
const first = await writeOrders([
  { item: "Tea", due: new Date("2026-03-29"), price: 4.5, count: 12, total: { formula: "C2*D2" } },
  { item: "Cup", due: new Date("2026-04-30"), price: 12, count: 3, total: { formula: "C3*D3" } },
]);
const json = JSON.stringify(await parse(first, { sheet: "Orders", formulas: "both" }));
const second = await writeOrders(JSON.parse(json).map((row) => ({ ...row, due: new Date(row.due) })));
return {
  json,
  same: json === JSON.stringify(await parse(second, { sheet: "Orders", formulas: "both" })),
  sheets: await sheets(second),
};
