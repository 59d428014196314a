// Five packs in one program: an archive of a month (zip) with orders (csv) and a price list (yaml) becomes
// a workbook (xlsx), and what changed since last month's report is shown (diff).
import { parse } from "@nodetool-ai/sandbox-csv";
import { unified } from "@nodetool-ai/sandbox-diff";
import { toCsv, write } from "@nodetool-ai/sandbox-xlsx";
import { load } from "@nodetool-ai/sandbox-yaml";
import { unzip, zip } from "@nodetool-ai/sandbox-zip";

const month = await unzip(inputs.archive, { text: true });
const { prices } = load(month["prices.yaml"]);
const totals = {};
for (const { item, count } of await parse(month["orders.csv"])) {
  if (!(item in prices)) console.warn(`no price for ${item}`);
  else totals[item] = (totals[item] ?? 0) + Number(count) * prices[item];
}
const rows = Object.keys(totals).sort().map((item) => ({ item, total: totals[item] }));
const workbook = await write({ Totals: rows });
const report = await toCsv(workbook);
const changes = await unified(month["last.csv"], report, { oldName: "last month", newName: "this month" });
return { changes, files: await zip({ "totals.xlsx": workbook, "changes.diff": changes }) };
