// ends: value ["ok","ENAMETOOLONG","ENAMETOOLONG","ENAMETOOLONG"]
// powers: workspace
const write = (name) => workspace.write(name, "").then(() => "ok", (error) => (/[/]|\.py/.test(error.message.slice(0, 60)) ? error.message : error.code));
return [await write("n".repeat(255)), await write("n".repeat(256)), await write("é".repeat(128)), await write("\u{1f600}".repeat(100))];
