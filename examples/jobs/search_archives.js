// Which files of an archive, and of the archives inside of it, mention a word.
import { unzip } from "@nodetool-ai/sandbox-zip";

const found = [];
const search = async (bytes, where) => {
  for (const [name, content] of Object.entries(await unzip(bytes))) {
    if (name.endsWith("/")) continue;
    if (name.endsWith(".zip")) await search(content, `${where}${name}/`);
    else if (new TextDecoder().decode(content).includes(inputs.word)) found.push(`${where}${name}`);
  }
};
await search(inputs.archive, "");
return found;
