// An RSS feed as CSV, newest first.
import { stringify } from "@nodetool-ai/sandbox-csv";
import { feed } from "@nodetool-ai/sandbox-xml";

const news = await feed(inputs.feed);
const rows = news.items
  .map((item) => ({ published: new Date(item.published).toISOString(), title: item.title, link: item.link }))
  .sort((a, b) => (a.published < b.published ? 1 : -1));
return { title: news.title, csv: await stringify(rows) };
