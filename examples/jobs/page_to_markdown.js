// A messy web page: the article as Markdown, the links it makes, and the table in it as records.
import { extractLinks, tables, toMarkdown, toText } from "@nodetool-ai/sandbox-html";

const [prices] = await tables(inputs.page);
return {
  markdown: await toMarkdown(inputs.page),
  words: (await toText(inputs.page)).split(/\s+/).filter(Boolean).length,
  links: await extractLinks(inputs.page, "https://shop.example/blog/spring.html"),
  prices,
};
