// ends: value ["no","no","mine"]
// powers: workspace
const no = (error) => (error.message.includes("outside the workspace") ? "no" : error.message);
const seen = [await workspace.read("hard").catch(no), await workspace.copy("hard", "copy").then(() => workspace.read("copy"), no)];
await workspace.write("hard", "mine");
return [...seen, await workspace.read("hard")];
