// ends: value true
// powers: workspace
const names = ["\u00e9", "e\u0301", "A", "a", "x.", "x", "x ", "con", "aux.txt", "a:b", "a\u202etxt", "\u212b", "\u00c5"];
for (const name of names) await workspace.write("names/" + name, name);
const same = (await Promise.all(names.map((name) => workspace.read("names/" + name)))).every((text, i) => text === names[i]);
return same && (await workspace.list("names")).sort().join() === names.sort().join();
